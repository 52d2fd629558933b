"""Writes the folder of an MLServer with a perceptron of scikit-learn. Usage: mlserver_model.py FOLDER HTTP_PORT GRPC_PORT"""
import json, pathlib, sys

import joblib
import numpy
from sklearn.neural_network import MLPClassifier

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = numpy.random.default_rng(1)
centres = numpy.array([[5.0, 3.4, 1.5, 0.25], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.5, 2.0]])
kind = numpy.arange(900) % 3
model = MLPClassifier((64, 64), max_iter=300, random_state=1).fit(centres[kind] + draw.normal(0, 0.3, (900, 4)), kind)
joblib.dump(model, folder / "model.joblib")
settings = {"name": "iris", "implementation": "mlserver_sklearn.SKLearnModel", "parameters": {"uri": "./model.joblib", "version": "1"},
            "max_batch_size": 64, "max_batch_time": 0.002}
(folder / "model-settings.json").write_text(json.dumps(settings))
server = {"host": "127.0.0.1", "http_port": int(sys.argv[2]), "grpc_port": int(sys.argv[3]), "metrics_port": int(sys.argv[3]) + 1,
          "parallel_workers": 0, "debug": False, "logging_settings": None}
(folder / "settings.json").write_text(json.dumps(server))
