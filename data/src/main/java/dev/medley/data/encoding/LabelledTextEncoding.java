package dev.medley.data.encoding;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.token.Tokens;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a column of texts as tokens, and of another as the class of each. A text shorter
 * than the context is filled up with -1, which stands for no token.
 *
 * @param column with the texts
 * @param context tokens of a text at most; the others are left out
 * @param tokens in which texts are cut
 * @param label what is predicted: one of some classes
 * @param missing texts that mean "no value"
 * @param csv how the CSV files were written; null for files of another format
 */
public record LabelledTextEncoding(
        String column,
        int context,
        Tokens tokens,
        LabelEncoding label,
        List<String> missing,
        @Nullable CsvReading csv)
        implements Encoding {
    public LabelledTextEncoding {
        missing = List.copyOf(missing);
        check(
                context > tokens.before().size() + tokens.after().size(),
                "data.text.context=%d: no room for a text beside the tokens around it",
                context);
    }

    @Override
    public Signature signature() {
        Signature.Input text =
                new Signature.Input(
                        "text",
                        ElementType.INT64,
                        List.of(context),
                        List.of(tokens.vocabulary().size()));
        return new Signature(List.of(text), label.target());
    }

    @Override
    public String reads() {
        return "texts of a table";
    }

    /** The two columns as those of a table, for who reads its files. */
    public TableEncoding columns() {
        Category texts = new Category(column, List.of(), true, true);
        return new TableEncoding(List.of(texts), label, missing, csv);
    }

    /** Tokens that a text may have beside those that stand before and behind each. */
    public int room() {
        return context - tokens.before().size() - tokens.after().size();
    }

    /** A text as models read it, without what it has no room for. */
    public int[] sequence(int[] text) {
        IntStream first = tokens.before().stream().mapToInt(t -> t);
        IntStream last = tokens.after().stream().mapToInt(t -> t);
        IntStream own = IntStream.of(text).limit(room());
        return IntStream.concat(IntStream.concat(first, own), last).toArray();
    }
}
