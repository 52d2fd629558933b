"""The perceptron of every peer: as many weights as Medley's, drawn at random, since it is only the time that counts."""
import torch

torch.set_num_threads(1)
torch.set_grad_enabled(False)
LABELS = ["setosa", "versicolor", "virginica"]


def perceptron():
    torch.manual_seed(1)
    layers = [torch.nn.Linear(4, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 3), torch.nn.Softmax(1)]
    return torch.nn.Sequential(*layers).eval()


def answer(model, body):
    """The same request and answer as the Open Inference Protocol's, of one row or several."""
    columns = [column["data"] for column in body["inputs"]]
    rows = model(torch.tensor(list(zip(*columns)), dtype=torch.float32))
    best = rows.argmax(1).tolist()
    return {
        "model_name": "iris", "model_version": "1",
        "outputs": [
            {"name": "prediction", "datatype": "BYTES", "shape": [len(best)], "data": [LABELS[i] for i in best]},
            {"name": "probability", "datatype": "FP64", "shape": list(rows.shape), "data": rows.flatten().tolist()},
        ],
    }
