"""Asks a served model by Triton's client. The address is the first word: 127.0.0.1:8080."""

import sys

import numpy as np
import tritonclient.http as triton

client = triton.InferenceServerClient(sys.argv[1])
columns = {
    "months": np.array([[3.0], [50.0]]),
    "contract": np.array([["monthly"], ["yearly"]], dtype=object),
    "price": np.array([[95.0], [30.0]]),
}
inputs = []
for name, values in columns.items():
    kind = "BYTES" if values.dtype == object else "FP64"
    tensor = triton.InferInput(name, list(values.shape), kind)
    tensor.set_data_from_numpy(values)
    inputs.append(tensor)
answer = client.infer("churn", inputs)
print("Python:", answer.as_numpy("prediction"), answer.as_numpy("probability"))
