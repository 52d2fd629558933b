package dev.medley.serving.protocol;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Says the largest numbers of each row as texts {@code value:index}: Triton's classification. */
final class Classification {
    private Classification() {}

    static WireTensor of(WireTensor tensor, int most) {
        ServingFailure.check(
                !(tensor.values() instanceof Values.Texts),
                "output '%s' holds texts, and classes are told of numbers",
                tensor.name());
        int rows = Math.toIntExact(tensor.rows());
        int width = rows == 0 ? 0 : tensor.values().count() / rows;
        int kept = Math.min(most, width);
        List<@Nullable String> texts = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            int from = row * width;
            IntStream.range(0, width)
                    .boxed()
                    .sorted(
                            Comparator.comparingDouble(
                                    (Integer i) -> -tensor.values().number(from + i)))
                    .limit(kept)
                    .forEach(i -> texts.add(tensor.values().number(from + i) + ":" + i));
        }
        return new WireTensor(
                tensor.name(),
                DataType.BYTES,
                List.of((long) rows, (long) kept),
                new Values.Texts(texts));
    }
}
