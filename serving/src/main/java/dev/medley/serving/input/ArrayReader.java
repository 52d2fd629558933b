package dev.medley.serving.input;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.serving.input.EncodedRows.Arrays;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads arrays as the source of a user's own data gave them in training. */
final class ArrayReader implements InputReader {
    private final Signature signature;
    private final List<InputPort> ports = new ArrayList<>();

    ArrayReader(Signature signature) {
        this.signature = signature;
        for (Signature.Input input : signature.inputs()) {
            List<Long> shape = new ArrayList<>(List.of(-1L));
            input.shape().forEach(length -> shape.add((long) length));
            ports.add(
                    new InputPort(
                            input.name(), type(input.type()), shape, "as the source gives it"));
        }
    }

    private static DataType type(ElementType type) {
        return switch (type) {
            case FLOAT32 -> DataType.FP32;
            case FLOAT64 -> DataType.FP64;
            case INT64 -> DataType.INT64;
            case INT32 -> DataType.INT32;
            case UINT8 -> DataType.UINT8;
        };
    }

    @Override
    public List<InputPort> ports() {
        return List.copyOf(ports);
    }

    @Override
    public EncodedRows read(List<WireTensor> inputs) {
        Map<String, WireTensor> given = InputReader.byName(ports, inputs);
        List<Arrays.Input> arrays = new ArrayList<>();
        for (Signature.Input input : signature.inputs()) {
            WireTensor tensor = given.get(input.name());
            double[] values = new double[tensor == null ? 0 : tensor.values().count()];
            for (int i = 0; tensor != null && i < values.length; i++) {
                values[i] = tensor.values().number(i);
                requireFits(input, values[i], i);
            }
            arrays.add(new Arrays.Input(input.type(), values));
        }
        return new Arrays(arrays, Math.toIntExact(inputs.get(0).rows()));
    }

    /** Whole numbers stay what they are, and indices are within their own column. */
    private static void requireFits(Signature.Input input, double value, int at) {
        if (input.isTerms() || input.type() == ElementType.FLOAT32) {
            return;
        }
        boolean isIndex = !input.cardinalities().isEmpty();
        DataType type = type(input.type());
        double least = isIndex ? 0 : type.least();
        double most =
                isIndex
                        ? input.cardinalities().get(at % input.cardinalities().size()) - 1
                        : type.most();
        check(
                value >= least && value <= most && value == Math.rint(value),
                "input '%s', element %d: %s is no whole number from %s to %s",
                input.name(),
                at,
                value,
                least,
                most);
    }
}
