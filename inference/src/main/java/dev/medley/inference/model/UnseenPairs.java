package dev.medley.inference.model;

import dev.medley.base.memory.Batch;
import dev.medley.base.model.FactorSpec;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.TableEncoding;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Counts rows whose user or item training has not seen, and says what they are predicted. */
final class UnseenPairs {
    private static final int ROWS_AT_ONCE = 4096;

    private UnseenPairs() {}

    /** A sentence for users and one for items, where there are such rows. */
    static List<String> of(FactorSpec factors, TableEncoding table, TrainingData rows) {
        List<Category> categories = table.embedded();
        long[] unseen = new long[categories.size()];
        long count = rows.validationSamples();
        for (long from = 0; from < count; from += ROWS_AT_ONCE) {
            Batch batch = rows.validation(from, Math.min(count, from + ROWS_AT_ONCE));
            int last = batch.inputs().size() - 1;
            LongBuffer codes = batch.inputs().get(last).data().buffer().asLongBuffer();
            for (int i = 0; i < codes.capacity(); i++) {
                int c = i % categories.size();
                unseen[c] += codes.get(i) == categories.get(c).unknownCode() ? 1 : 0;
            }
        }
        List<String> sentences = new ArrayList<>();
        for (int c = 0; c < unseen.length; c++) {
            boolean isUser = categories.get(c).name().equals(factors.user());
            boolean isItem = categories.get(c).name().equals(factors.item());
            if (unseen[c] > 0 && (isUser || isItem)) {
                sentences.add(
                        String.format(
                                Locale.ROOT,
                                "%,d of %,d rows have a value of '%s' that training has not seen:"
                                        + " they are predicted the mean with the bias of the %s"
                                        + " alone",
                                unseen[c],
                                count,
                                categories.get(c).name(),
                                isUser ? "item" : "user"));
            }
        }
        return sentences;
    }
}
