"""Whether people can see what a page shows: contrast of words, and eyes that tell colours apart less well."""

from __future__ import annotations

CONTRAST = """() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, under) => { const a = top[3] ?? 1; return [0, 1, 2].map((i) => top[i] * a + under[i] * (1 - a)); };
  const ground = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const colour = rgb(getComputedStyle(one).backgroundColor);
      if ((colour[3] ?? 1) > 0) layers.push(colour);
      if ((colour[3] ?? 1) === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const seen = walker.currentNode.nodeValue.trim() && element.getClientRects().length;
    if (!seen || element.closest(":disabled, svg")) continue;
    const under = ground(element);
    const ink = over(rgb(getComputedStyle(element).color), under);
    const [high, low] = [light(ink), light(under)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 7) poor.push(`${walker.currentNode.nodeValue.trim().slice(0, 20)} ${ratio.toFixed(1)}`);
  }
  return poor;
}"""
"""Words that stand out less than 7:1 from their ground, as `word ratio`; run it with `page.evaluate`."""
