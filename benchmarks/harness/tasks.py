"""The tasks that training runs are measured with, defined once."""
import json, os

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SHARED = os.path.abspath(os.environ.get("MEDLEY_SHARED", os.path.join(ROOT, "..", "shared")))
MEDLEY = os.path.join(ROOT, "medley")

# batch: samples of a step over all machines; target: of the first metric, better: on which side of it;
# steps: of a run for throughput; every: steps between two evaluations on the way to the target.
TASKS = {
    "fashion-cnn": dict(batch=256, target=0.88, better="higher", steps=400, every=50,
        job={"data": "{shared}/data/fashion-mnist", "model": "cnn",
             "train": {"optimizer": {"kind": "adam", "learning_rate": 1e-3}, "schedule": "constant"}}),
    "shakespeare-gpt": dict(batch=32, target=2.10, better="lower", steps=300, every=50,
        job={"data": {"train": "{shared}/data/tiny-shakespeare/input.txt.gz", "text": {"unit": "characters", "context": 128}},
             "model": {"family": "transformer", "layers": 4, "width": 128, "heads": 4},
             "train": {"optimizer": {"kind": "adamw", "learning_rate": 1e-3, "weight_decay": 0.01, "beta2": 0.99}, "schedule": "constant"}}),
    # One that the table of efficiencies has never seen: what auto does without lessons.
    # It reaches its target within the usual warm-up, so none is left out on either side.
    "adult-mlp": dict(batch=256, target=0.905, better="higher", steps=400, every=25, warm=0,
        job={"data": {"train": "{shared}/data/uci-adult/adult.data.gz", "validation": "{shared}/data/uci-adult/adult.test.gz", "label": "income",
                      "table": {"scaling": "standard"}},  # as the peer scales
             "model": {"family": "mlp", "hidden": [256, 64]},
             "train": {"optimizer": {"kind": "adam", "learning_rate": 1e-3}, "schedule": "constant", "metrics": ["auc"]}}),
    # The peer's fixed tensors have the shape of these images; speed alone is compared.
    "synthetic-mlp": dict(batch=128, target=None, better="higher", steps=400, every=10**9,
        job={"data": "{shared}/data/fashion-mnist", "model": {"family": "mlp", "hidden": [512, 512]},
             "train": {"optimizer": {"kind": "adam", "learning_rate": 1e-3}, "schedule": "constant"}}),
}


def job(task, seed, **train):
    """The job of a task; more keys of train, such as steps, as arguments."""
    made = json.loads(json.dumps(TASKS[task]["job"]).replace("{shared}", SHARED))
    made.update(name=task, seed=seed)
    made["train"].update(dict(batch=TASKS[task]["batch"]), **train)
    return made


def is_reached(task, value):
    """Whether a value of the first metric is at the task's target or beyond."""
    spec = TASKS[task]
    if spec["target"] is None:
        return False
    return value >= spec["target"] if spec["better"] == "higher" else value <= spec["target"]
