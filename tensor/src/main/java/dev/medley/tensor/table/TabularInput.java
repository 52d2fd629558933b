package dev.medley.tensor.table;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Pass;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns the inputs of a table into one row of numbers for each sample. Numbers stay as they are;
 * beside them stand their embeddings, where these are asked for. Each category becomes an embedding
 * of min(50, (cardinality + 1) / 2) values (Guo, Berkhahn 2016), or of a given width.
 */
public final class TabularInput {
    private static final int WIDEST_EMBEDDING = 50;

    private final List<Part> parts;

    /**
     * What becomes of one input.
     *
     * @param places of those of its columns that are numbers with bins; empty where all stay alone
     * @param numbers embeds these columns; null where all stay alone
     * @param categories embeds the columns of an array of codes
     */
    private record Part(
            Input input,
            long[] places,
            @Nullable NumericLayer numbers,
            List<Embedding> categories,
            long width) {}

    /** Rows of these inputs in the form that a model asks for. */
    public TabularInput(List<Input> inputs, ModelSpec.Numeric numeric, int embed) {
        parts = inputs.stream().map(input -> part(input, numeric, embed)).toList();
    }

    private static Part part(Input input, ModelSpec.Numeric numeric, int embed) {
        List<Embedding> categories = new ArrayList<>();
        long width = 0;
        for (int cardinality : input.cardinalities()) {
            int size = embed > 0 ? embed : Math.min(WIDEST_EMBEDDING, (cardinality + 1) / 2);
            categories.add(new Embedding(cardinality, size));
            width += size;
        }
        if (!categories.isEmpty()) {
            return new Part(input, new long[0], null, categories, width);
        }
        List<List<Float>> bins = input.bins().stream().filter(b -> !b.isEmpty()).toList();
        NumericLayer numbers =
                numeric == ModelSpec.Numeric.PLAIN || bins.isEmpty()
                        ? null
                        : numeric == ModelSpec.Numeric.PERIODIC
                                ? new PeriodicNumbers(bins.size())
                                : new PiecewiseNumbers(bins);
        long[] places =
                IntStream.range(0, input.bins().size())
                        .filter(i -> !input.bins().get(i).isEmpty())
                        .asLongStream()
                        .toArray();
        long more = numbers == null ? 0 : numbers.width();
        return new Part(input, places, numbers, List.of(), elements(input) + more);
    }

    /** Numbers of one row. */
    public long width() {
        return parts.stream().mapToLong(Part::width).sum();
    }

    /** Declares the embeddings. */
    public void declare(Declaration declaration) {
        for (int i = 0; i < parts.size(); i++) {
            NumericLayer numbers = parts.get(i).numbers();
            if (numbers != null) {
                declaration.layer("numbers." + i, numbers);
            }
            List<Embedding> categories = parts.get(i).categories();
            for (int column = 0; column < categories.size(); column++) {
                declaration.layer("embeddings." + i + "." + column, categories.get(column));
            }
        }
    }

    /** The rows of a batch, [samples, width]. */
    public Tensor join(List<Tensor> arrays, Pass pass) {
        List<Tensor> joined = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Tensor array = arrays.get(i).flattenFrom(1);
            Part part = parts.get(i);
            List<Embedding> columns = part.categories();
            if (columns.isEmpty()) {
                joined.add(array);
            }
            if (part.numbers() != null) {
                joined.add(part.numbers().forward(chosen(array, part.places()), pass));
            }
            for (int column = 0; column < columns.size(); column++) {
                joined.add(columns.get(column).forward(array.select(1, column), pass));
            }
        }
        return joined.size() == 1 ? joined.get(0) : Tensor.concatenate(joined, 1);
    }

    /** The same as part of a graph. */
    public Value graph(List<Value> arrays, Graph graph) {
        List<Value> joined = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Value array = graph.flattened(arrays.get(i), 1);
            Part part = parts.get(i);
            List<Embedding> columns = part.categories();
            if (columns.isEmpty()) {
                joined.add(array);
            }
            if (part.numbers() != null) {
                Value places = graph.wholes(part.places());
                Attribute byColumn = Attribute.of("axis", 1);
                Value chosen = graph.node("Gather", List.of(array, places), byColumn);
                joined.add(part.numbers().graph(chosen, graph));
            }
            for (int column = 0; column < columns.size(); column++) {
                joined.add(columns.get(column).graph(column(array, column, graph), graph));
            }
        }
        return graph.joined(joined, 1);
    }

    /** One column of an array [samples, columns], [samples]. */
    static Value column(Value array, int column, Graph graph) {
        return graph.node("Gather", List.of(array, graph.index(column)), Attribute.of("axis", 1));
    }

    private static Tensor chosen(Tensor array, long[] places) {
        HostArray indices = HostArray.allocate(ElementType.INT64, places.length);
        indices.data().buffer().asLongBuffer().put(places);
        return Functional.select(array, 1, Tensor.aliasOf(indices));
    }

    /** Numbers of a sample in an input. */
    static long elements(Input input) {
        return input.shape().stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }
}
