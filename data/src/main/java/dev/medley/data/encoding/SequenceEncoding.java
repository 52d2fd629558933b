package dev.medley.data.encoding;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import java.util.List;

/**
 * The encoding of whole sequences, each with one label: FLOAT32 {@code rows} [rows, columns + 1],
 * the last rows of a sequence in the order of time, scaled. A shorter one begins with rows of 0;
 * the last number of a row says whether it is one of the sequence, with 1.
 *
 * @param time column of times
 * @param by columns that tell sequences apart
 * @param columns that are seen
 * @param rows that are seen at most
 * @param scales of the columns, over the training rows; a missing number becomes 0, the mean
 * @param label of a sequence
 */
public record SequenceEncoding(
        String time,
        List<String> by,
        List<String> columns,
        int rows,
        List<Scaling> scales,
        LabelEncoding label)
        implements Encoding {
    public SequenceEncoding {
        by = List.copyOf(by);
        columns = List.copyOf(columns);
        scales = List.copyOf(scales);
    }

    @Override
    public Signature signature() {
        Signature.Input seen =
                new Signature.Input(
                        "rows", ElementType.FLOAT32, List.of(rows, rowNumbers()), List.of());
        return new Signature(List.of(seen), label.target());
    }

    @Override
    public String reads() {
        return "sequences over time";
    }

    /** Numbers of a row: its columns, and whether it is one. */
    public int rowNumbers() {
        return columns.size() + 1;
    }
}
