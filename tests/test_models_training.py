"""The training steps do what they say; skipped where the `train` extra is not installed."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import LABELS
from models.train.data import CANVAS_PX, CropSet, LabelledPicture

torch = pytest.importorskip("torch", reason="needs the train extra (torch)")
pytest.importorskip("ultralytics", reason="needs the train extra (ultralytics)")

from models.train import augment, checkpoint, samples, train_classifier, train_detector  # noqa: E402
from models.train.__main__ import main as train  # noqa: E402
from models.train.export import export_classifier, write_manifest  # noqa: E402
from models.train.network import SIZE_PX, FaceNet  # noqa: E402


@pytest.fixture
def crops() -> CropSet:
    """Red crops are 1m, blue ones are 9p, grey ones show nothing."""
    canvas = np.full((24, CANVAS_PX, CANVAS_PX, 3), 128, np.uint8)
    canvas[:10] = (200, 20, 20)
    canvas[10:20] = (20, 20, 200)
    labels = np.array([LABELS.index("1m")] * 10 + [LABELS.index("9p")] * 10 + [-1] * 4)
    return CropSet(canvas, labels, np.ones((24, 2), np.float32), np.zeros(24, np.int64), ("a",))


def test_nothing_to_name_is_taught_as_doubt() -> None:
    target = train_classifier.soft_targets(torch.tensor([3, -1, 5]), torch.tensor([False, False, True]), 0.1)
    assert target.sum(dim=1).tolist() == pytest.approx([1, 1, 1])
    assert target[0].argmax() == 3
    assert target[0, 3] > 0.9
    for row in (1, 2):
        assert target[row].tolist() == pytest.approx([1 / 43] * 43)


def test_rare_tiles_are_drawn_more_often_each_but_not_more_in_sum() -> None:
    labels = np.array([0] * 90 + [1] * 10 + [-1] * 50)
    weights = train_classifier.balance(labels, nothing=0.1)
    assert weights[90] > weights[0]
    assert weights[90:100].sum() < weights[:90].sum()
    assert weights[100:].sum() == pytest.approx(0.1)


def test_photographs_are_balanced_by_face_and_within_a_face_by_where_they_come_from() -> None:
    pictures = ("IMG_20231102_1_jpg", "hand_012_jpg", "noxHzTFz_jpg")  # desk, felt, assorted
    counts = {(0, 0): 9, (0, 1): 144, (0, 2): 1, (7, 1): 36, (7, 2): 4, (-1, 0): 4, (-1, 1): 16}
    labels = np.repeat([face for face, _ in counts], list(counts.values()))
    source = np.repeat([picture for _, picture in counts], list(counts.values()))
    crops = CropSet(
        np.zeros((len(labels), 1, 1, 3), np.uint8), labels, np.ones((len(labels), 2), np.float32), source, pictures
    )
    weights = train_classifier.balance(labels, samples.groups(crops), nothing=0.1)
    share = {key: weights[(labels == key[0]) & (source == key[1])].sum() for key in counts}
    assert share[0, 0] / share[0, 1] == pytest.approx(3 / 12)
    assert share[0, 2] / share[0, 1] == pytest.approx(1 / 12)
    assert share[7, 2] / share[7, 1] == pytest.approx(2 / 6)
    assert share[-1, 0] / share[-1, 1] == pytest.approx(2 / 4)
    plain = train_classifier.balance(labels, nothing=0.1)
    for face in (0, 7, -1):
        assert weights[labels == face].sum() == pytest.approx(plain[labels == face].sum())


def test_the_draw_of_photographs_knows_their_groups(tmp_path: Path) -> None:
    photos = []
    for name, count in (("hand_012_jpg", 4), ("IMG_20231102_1_jpg", 1)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((200, 400, 3), 90, np.uint8))
        boxes = np.array([[0.02 + 0.2 * k, 0.1, 0.18 + 0.2 * k, 0.9] for k in range(count)], np.float32)
        photos.append(LabelledPicture(tmp_path / f"{name}.png", boxes, np.zeros(count, np.int64)))
    for scenes, left in (([], 1.0), (photos[:1], 0.6)):
        crops, weights = samples.crops_of(photos, scenes, seed=1)
        real = crops.source < 2
        tiles = [weights[real & (crops.labels == 0) & (crops.source == k)].sum() for k in (0, 1)]
        assert tiles[1] / tiles[0] == pytest.approx(1 / 2)
        assert weights[real].sum() == pytest.approx(left)


def test_augmented_crops_keep_form_and_repeat_with_the_seed(crops: CropSet) -> None:
    first, missed = augment.augment(crops.canvas, crops.sizes, torch.Generator().manual_seed(3), crops.labels)
    again, _ = augment.augment(crops.canvas, crops.sizes, torch.Generator().manual_seed(3), crops.labels)
    assert first.shape == (24, 3, SIZE_PX, SIZE_PX)
    assert missed.dtype == torch.bool
    assert 0 <= float(first.min()) <= float(first.max()) <= 1
    assert torch.equal(first, again)


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.57, 3.1])
@pytest.mark.parametrize("length", [3.0, 9.0, augment.SHAKEN_PX])
def test_a_shaken_crop_is_smeared_along_one_line_and_no_lighter(length: float, angle: float) -> None:
    dot = torch.zeros(1, 3, 41, 41)
    dot[:, :, 20, 20] = 1.0
    smeared = augment._filter(dot, augment._line(length, angle))[0, 0]
    rows, columns = (smeared > 0).nonzero().T
    assert float(smeared.sum()) == pytest.approx(1, abs=1e-4)
    reach = np.hypot(*(int(way.max() - way.min()) for way in (rows, columns)))
    assert reach == pytest.approx(length - 1, abs=1.5)
    aside = (rows - 20) * np.cos(angle) - (columns - 20) * np.sin(angle)
    assert float(aside.abs().max()) < 1


def test_flowers_keep_their_inks_where_others_change_them() -> None:
    """Red and blue tell seasons from plants; a dot may be of any colour."""
    red = torch.zeros(200, 3, SIZE_PX, SIZE_PX)
    red[:, 0] = 0.8
    for label, kept in (("3f", True), ("1p", False)):
        labels = torch.full((200,), LABELS.index(label))
        seen = augment._colour(red, labels, torch.Generator().manual_seed(5)).mean(dim=(2, 3))
        coloured = seen[seen.max(dim=1).values - seen.min(dim=1).values > 0.3]
        assert len(coloured) > 50
        assert bool((coloured.argmax(dim=1) == 0).all()) == kept


def test_a_stopped_run_goes_on_where_it_was(crops: CropSet, tmp_path: Path) -> None:
    weights = train_classifier.balance(crops.labels)
    run = tmp_path / "run.pt"
    short = train_classifier.Schedule(steps=2, batch=8, threads=1)
    train_classifier.Trainer(short).run(crops, run, weights)
    longer = train_classifier.Trainer(train_classifier.Schedule(steps=4, batch=8, threads=1))
    longer.run(crops, run, weights)
    assert longer.progress.step == 4
    assert len(longer.progress.losses) == 4


def test_the_mean_of_two_networks_lies_between_them_by_share(tmp_path: Path) -> None:
    nets = [FaceNet(), FaceNet()]
    files = [tmp_path / "first.pt", tmp_path / "second.pt"]
    for net, file in zip(nets, files, strict=True):
        torch.save(checkpoint.half_state(net), file)
    assert train(["mean", *map(str, files), "--share", "0.4", "--out", str(tmp_path / "mean.pt")]) == 0
    mean = checkpoint.load_start(tmp_path / "mean.pt")
    first, second = (net.state_dict()["prototypes"] for net in nets)
    assert torch.allclose(mean["prototypes"], 0.6 * first + 0.4 * second, atol=2e-3)
    FaceNet().load_state_dict(mean)


def test_a_run_goes_on_elsewhere_from_the_small_file_beside_it(crops: CropSet, tmp_path: Path) -> None:
    weights = train_classifier.balance(crops.labels)
    schedule = train_classifier.Schedule(steps=3, batch=8, threads=1, warm_up=10, scene_share=0.3)
    first = train_classifier.Trainer(schedule)
    first.run(crops, tmp_path / "classifier-run.pt", weights)
    small = tmp_path / "classifier-run.half.pt"
    start = checkpoint.read_start(small)
    assert small.stat().st_size < 3 * 2**20
    assert start.step == 3
    assert train_classifier.Schedule(**start.schedule) == schedule
    assert start.seconds == first.progress.seconds > 0

    later = train_classifier.Trainer(replace(schedule, steps=6), start)
    for name, value in first.ema.state_dict().items():
        assert torch.equal(later.net.state_dict()[name], value.half().float() if value.is_floating_point() else value)
    assert later._rate() == pytest.approx(schedule.rate * 0.5 / 10)  # half way; the optimiser is new and warms up
    later.run(crops, tmp_path / "elsewhere" / "classifier-run.pt", weights)
    assert (later.progress.step, len(later.progress.losses)) == (6, 3)

    resumed = train_classifier.Trainer(replace(schedule, steps=6))
    resumed.run(crops, tmp_path / "elsewhere" / "classifier-run.pt", weights)
    assert resumed.progress.fresh == 3


def test_the_detector_goes_on_elsewhere_too(sample: train_detector.Sample, tmp_path: Path) -> None:
    schedule = train_detector.DetectorSchedule(steps=1, batch=1, size_px=64, threads=1, warm_up=10)
    first = train_detector.DetectorTrainer(schedule, None)
    first.run([sample], tmp_path / "detector-run.pt", np.ones(1))
    start = checkpoint.read_start(tmp_path / "detector-run.half.pt")
    assert (tmp_path / "detector-run.half.pt").stat().st_size < 6 * 2**20
    assert (start.step, train_detector.DetectorSchedule(**start.schedule)) == (1, schedule)
    later = train_detector.DetectorTrainer(replace(schedule, steps=2), start)
    for name, value in first.ema.state_dict().items():
        assert torch.equal(later.net.state_dict()[name], value.half().float() if value.is_floating_point() else value)
    assert later.done() == 0.5
    assert later._rate() == pytest.approx(schedule.rate * 0.5 / 10)


def test_the_command_goes_on_by_the_schedule_of_the_file_and_weights_alone_begin_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[train_classifier.Schedule, int]] = []

    def run(self: train_classifier.Trainer, _crops: CropSet, _checkpoint: Path, _weights: object) -> FaceNet:
        made.append((self.schedule, self.progress.step))
        return self.ema

    monkeypatch.setattr(train_classifier.Trainer, "run", run)
    monkeypatch.setattr(samples, "crops_of", lambda _photos, _scenes, seed, share: ((seed, share), None))
    monkeypatch.setattr(samples, "drop_hidden_tiles", lambda _crops, weights, _net: weights)
    half, place = checkpoint.half_state(FaceNet()), tmp_path / "classifier-run.half.pt"
    schedule = train_classifier.Schedule(steps=900, minutes=60, rate=1e-3, seed=5, threads=1, scene_share=0.7)
    torch.save({"weights": half, "schedule": asdict(schedule), "step": 300, "seconds": 90.0}, place)
    torch.save(half, tmp_path / "old.pt")
    for start, more in ((place, []), (place, ["--steps", "800"]), (tmp_path / "old.pt", [])):
        command = ["classifier", "--out", str(tmp_path), "--start", str(start), "--threads", "1", *more]
        assert train(command) == 0
    usual = train_classifier.Schedule(steps=1_000_000, minutes=20, threads=1)
    assert made == [(schedule, 300), (replace(schedule, steps=800), 300), (usual, 0)]
    assert train(["detector", "--out", str(tmp_path), "--start", str(place)]) == 2
    assert checkpoint.load_start(place).keys() == FaceNet().state_dict().keys()  # to export what a run has so far


def test_exported_classifier_answers_like_torch(tmp_path: Path) -> None:
    parity = export_classifier(FaceNet(), tmp_path / "classifier.onnx")
    assert parity.used <= 1
    assert (tmp_path / "classifier.onnx").stat().st_size < 3 * 2**20


@pytest.fixture
def sample(tmp_path: Path) -> train_detector.Sample:
    """A white tile face and a face-down tile on black, and a place that may hold a third."""
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[60:150, 80:140] = 255
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), picture)
    boxes = np.array([[80, 60, 140, 150], [300, 200, 340, 260]], np.float32) / (400, 300, 400, 300)
    labels = np.array([0, LABELS.index("x")])
    ignore = np.array([[0.5, 0.1, 0.6, 0.3]], np.float32)
    return train_detector.Sample(LabelledPicture(path, boxes.astype(np.float32), labels), False, ignore)


@pytest.mark.parametrize("seed", range(12))
def test_boxes_follow_the_picture_through_turn_and_zoom(sample: train_detector.Sample, seed: int) -> None:
    view = train_detector.cut_view(sample, 448, np.random.default_rng(seed))
    assert view.image.shape == (448, 448, 3)
    for box, kind in zip(view.boxes, view.classes, strict=True):
        x1, y1, x2, y2 = box.round().astype(int)
        if kind == 0 and x1 > 8 and y1 > 8 and x2 < 440 and y2 < 440:
            grey = view.image.astype(np.float32).mean(axis=2)
            inside = grey[y1 + 2 : y2 - 2, x1 + 2 : x2 - 2].mean()
            edge = np.concatenate([grey[y1 - 8, x1:x2], grey[y2 + 7, x1:x2], grey[y1:y2, x1 - 8], grey[y1:y2, x2 + 7]])
            assert inside > edge.mean() + 40


def test_most_views_show_tiles_as_large_as_the_reader_looks_for(sample: train_detector.Sample) -> None:
    sides = []
    for seed in range(80):
        view = train_detector.cut_view(sample, 448, np.random.default_rng(seed))
        faces = view.boxes[view.classes == 0]
        sides += [float((box[2:] - box[:2]).min()) for box in faces]
    low, high = train_detector.USUAL_PX
    assert len(sides) > 50
    assert np.mean([0.8 * low < side < 2 * high for side in sides]) > 0.8
    assert min(sides) >= train_detector.SMALLEST_PX


def test_tiles_too_small_to_name_do_not_teach(tmp_path: Path) -> None:
    path = tmp_path / "far.png"
    cv2.imwrite(str(path), np.zeros((900, 900, 3), np.uint8))
    boxes = np.array([[0.5, 0.5, 0.505, 0.506], [0.1, 0.1, 0.3, 0.4]], np.float32)
    far = train_detector.Sample(LabelledPicture(path, boxes, np.array([0, 0])), True, np.zeros((0, 4), np.float32))
    for seed in range(10):
        view = train_detector.cut_view(far, 448, np.random.default_rng(seed))
        assert all((box[2:] - box[:2]).min() >= train_detector.SMALLEST_PX for box in view.boxes)


def test_scenes_ask_only_for_what_shows_and_the_desk_teaches_what_is_no_back(tmp_path: Path) -> None:
    nothing = np.zeros((0, 4), np.float32)
    desk = LabelledPicture(tmp_path / "IMG_1.jpg", nothing, np.zeros(0, np.int64))
    felt = LabelledPicture(tmp_path / "hand_1.jpg", nothing, np.zeros(0, np.int64))
    scene = LabelledPicture(tmp_path / "s" / "images" / "1.jpg", nothing, np.zeros(0, np.int64))
    made = samples.detector_samples(
        [desk, felt], [scene], {"hand_1": {"boxes": [], "unmarked": [(0.1, 0.1, 0.2, 0.2)]}}
    )
    assert [one.backs_marked for one in made] == [True, False, True]
    assert [one.rendered for one in made] == [False, False, True]
    assert [len(one.ignore) for one in made] == [0, 1, 0]
    assert made[1].ignore[0] == pytest.approx([0.05, 0.05, 0.25, 0.25])


def test_unmarked_backs_and_doubtful_places_do_not_teach() -> None:
    size = 448
    box = np.array([[100, 100, 160, 190]], np.float32)
    view = train_detector.View(
        np.zeros((size, size, 3), np.uint8), box, np.array([0]), np.array([[300, 300, 400, 400]], np.float32)
    )
    batch = train_detector.collate([view, view], [False, True], size)
    weights = batch["weights"]
    assert weights.shape == (2, sum((size // stride) ** 2 for stride in (8, 16, 32)), 2)
    anchors = train_detector._anchors(size)
    inside = ((anchors > box[0, :2]) & (anchors < box[0, 2:])).all(axis=1)
    doubtful = ((anchors > 300) & (anchors < 400)).all(axis=1)
    other = ~inside & ~doubtful
    assert weights[0, other, 1].sum() == 0
    assert weights[1, other].min() == 1
    assert weights[:, doubtful].sum() == 0
    assert weights[:, inside].min() == 1


def test_half_of_the_draws_are_rendered_when_asked(sample: train_detector.Sample) -> None:
    rendered = train_detector.Sample(sample.picture, True, sample.ignore, rendered=True)
    weights = samples.sample_weights([sample] * 9 + [rendered], share=0.5)
    assert weights[9] == pytest.approx(weights[:9].sum())


def test_a_one_class_start_lends_its_score_to_both_classes() -> None:
    model = train_detector.make_model()
    state = model.state_dict()
    one = {k: v[:1].clone() if v.shape[:1] == (2,) else v.clone() for k, v in state.items()}
    train_detector.load_weights(model, one)
    heads = [v for k, v in model.state_dict().items() if v.shape[:1] == (2,) and k.endswith("weight")]
    assert heads
    for weight in heads:
        assert torch.equal(weight[0], weight[1])


def test_new_weights_do_not_keep_the_eight_bit_twin_of_old_ones(tmp_path: Path) -> None:
    twin = {"file": "detector-int8.onnx", "sha256": "0" * 64}
    (tmp_path / "detector.onnx").write_bytes(b"old")
    (tmp_path / "detector-int8.onnx").write_bytes(b"old twin")
    write_manifest(tmp_path, {"detector": {}})
    write_manifest(tmp_path, {"detector": {"int8": twin}})
    kept = json.loads((tmp_path / "manifest.json").read_text())["detector"]
    assert kept["int8"] == twin
    (tmp_path / "detector.onnx").write_bytes(b"new")
    write_manifest(tmp_path, {"version": "9"})
    changed = json.loads((tmp_path / "manifest.json").read_text())["detector"]
    assert "int8" not in changed
    assert changed["sha256"] != kept["sha256"]
