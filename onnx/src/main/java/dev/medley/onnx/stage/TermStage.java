package dev.medley.onnx.stage;

import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.SparseColumn.Hashed;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.SparseColumn.Words;
import dev.medley.data.encoding.TableEncoding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells how texts become the terms that a graph takes: what ONNX has no operators for. Terms of all
 * columns are one input, their indices counted through.
 */
public final class TermStage {
    private static final String NAME = "terms";

    private static final String WORDS =
            "a word is two or more letters, digits or underscores in a row, of the text in lower"
                    + " case; marks, such as vowels of Devanagari, belong to the letter before";

    private TermStage() {}

    /** What the graph's input is called: as no column is. */
    static String name(TableEncoding table) {
        String free = NAME;
        while (isColumn(free, table)) {
            free += "_";
        }
        return free;
    }

    private static boolean isColumn(String name, TableEncoding table) {
        return table.columns().stream().anyMatch(column -> column.name().equals(name));
    }

    /** What a program has to know to make the terms, for JSON; empty where there are none. */
    public static Map<String, Object> encoding(TableEncoding table) {
        if (table.ofTerms().isEmpty()) {
            return Map.of();
        }
        List<Map<String, Object>> columns = new ArrayList<>();
        long from = 0;
        for (SparseColumn column : table.ofTerms()) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("name", column.name());
            each.put("from", from);
            each.put("width", column.width());
            if (column instanceof Words words) {
                ofWords(words, each);
            } else if (column instanceof Hashed hashed) {
                ofHashes(hashed, each);
            } else {
                ofPairs((Pairs) column, each);
            }
            columns.add(each);
            from += column.width();
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("input", name(table));
        all.put("missing", table.missing());
        all.put("columns", columns);
        return all;
    }

    private static void ofWords(Words words, Map<String, Object> each) {
        each.put("kind", "words");
        each.put("words", WORDS);
        each.put(
                "rule",
                "for each word of the vocabulary, index = from + its place and value = how often"
                    + " the row has it times its idf; then all values of the column are divided by"
                    + " the root of the sum of their squares");
        each.put("vocabulary", words.vocabulary());
        each.put("idf", words.idf());
    }

    private static void ofHashes(Hashed hashed, Map<String, Object> each) {
        each.put("kind", hashed.words() ? "hashed words" : "hashed value");
        if (hashed.words()) {
            each.put("words", WORDS);
        }
        each.put(
                "rule",
                "h = MurmurHash3 of 32 bits with seed 0 of the UTF-8, as a signed number; index ="
                    + " from + |h| modulo width, value = 1, or -1 where h is below 0; those of one"
                    + " index are added, and then all values of the column are divided by the root"
                    + " of the sum of their squares"
                        + (hashed.words()
                                ? ""
                                : "; first a text that is a number becomes what Java's"
                                        + " BigDecimal.stripTrailingZeros().toString() gives, as 1"
                                        + " for 1.0 and 1E+1 for 10, and true and false small"
                                        + " letters"));
    }

    private static void ofPairs(Pairs pairs, Map<String, Object> each) {
        each.put("kind", "pairs");
        each.put("first", pairs.first());
        each.put(
                "rule",
                "index = from + the pair's index - first, value = the pair's; indices beyond the"
                        + " width are left out");
    }
}
