package dev.medley.benchmarks.compute;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.recurrent.Recurrence;

/** Classifies sequences by the output of stacked LSTM layers at the last position. */
final class LstmClassifier implements Layer {
    private final Recurrence memory;
    private final Linear head;

    LstmClassifier(int features, int width, int layers, Linear head) {
        memory = Recurrence.lstm(features, width, layers);
        this.head = head;
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("rnn", memory);
        declaration.layer("head", head);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return head.forward(memory.forward(x, pass).select(1, -1), pass);
    }
}
