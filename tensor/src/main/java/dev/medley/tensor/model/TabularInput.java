package dev.medley.tensor.model;

import dev.medley.base.job.Signature.Input;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the inputs of a table into one row of numbers for each sample. Numbers stay as they are,
 * each category becomes an embedding of min(50, (cardinality + 1) / 2) values (Guo, Berkhahn 2016),
 * and all are joined.
 */
final class TabularInput {
    private static final int WIDEST_EMBEDDING = 50;

    private final List<Input> inputs;
    private final List<List<Embedding>> embeddings = new ArrayList<>();
    private final long width;

    TabularInput(List<Input> inputs) {
        this.inputs = inputs;
        long sum = 0;
        for (Input input : inputs) {
            List<Embedding> columns = new ArrayList<>();
            for (int cardinality : input.cardinalities()) {
                int size = Math.min(WIDEST_EMBEDDING, (cardinality + 1) / 2);
                columns.add(new Embedding(cardinality, size));
                sum += size;
            }
            embeddings.add(columns);
            sum += columns.isEmpty() ? elements(input) : 0;
        }
        width = sum;
    }

    /** Numbers of one row. */
    long width() {
        return width;
    }

    void declare(Declaration declaration) {
        for (int i = 0; i < inputs.size(); i++) {
            for (int column = 0; column < embeddings.get(i).size(); column++) {
                String name = "embeddings." + i + "." + column;
                declaration.layer(name, embeddings.get(i).get(column));
            }
        }
    }

    Tensor join(List<Tensor> arrays, Pass pass) {
        List<Tensor> parts = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            Tensor array = arrays.get(i).flattenFrom(1);
            List<Embedding> columns = embeddings.get(i);
            if (columns.isEmpty()) {
                parts.add(array);
            }
            for (int column = 0; column < columns.size(); column++) {
                parts.add(columns.get(column).forward(array.select(1, column), pass));
            }
        }
        return parts.size() == 1 ? parts.get(0) : Tensor.concatenate(parts, 1);
    }

    private static long elements(Input input) {
        return input.shape().stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }
}
