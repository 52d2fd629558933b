package dev.medley.onnx.engine;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.inference.model.LoadedModel;

/** Computes as training did: by LibTorch, or for trees by XGBoost. The model is its owner's. */
final class TorchEngine implements Engine {
    private final LoadedModel model;

    TorchEngine(LoadedModel model) {
        this.model = model;
    }

    @Override
    public String name() {
        return model.trees().isPresent() ? "XGBoost" : "LibTorch";
    }

    @Override
    public float[] forward(Batch batch) {
        HostArray found = model.predict(batch);
        float[] outputs = new float[Math.toIntExact(found.count())];
        found.data().buffer().asFloatBuffer().get(outputs);
        return outputs;
    }

    @Override
    public void close() {
        // The model is closed by who loaded it.
    }
}
