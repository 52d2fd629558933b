package dev.medley.data.table.column;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.time.Clock;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the form in which columns of texts are read: numbers, booleans, dates, or texts. All rows
 * are counted, so that their order does not matter. A few texts among numbers or dates are errors
 * of the file; many make the column one of texts.
 */
public final class ColumnForms {
    private static final double FEW = 0.2;
    private static final double COMMA_SHARE = 0.8;
    private static final long FEWEST_VALUES = 3;

    /** An aggregate: of constants alone a query would give a row for each of the table. */
    private static final String NONE = "count(*) FILTER (false)";

    /** The columns that the job decides. */
    public record Wishes(
            Set<String> categorical, Set<String> numeric, @Nullable String label, Task task) {
        /** The advice for a value that is not what the column's other values are. */
        public String remedy(Column column) {
            return isNumber(column.name())
                    ? ""
                    : ", as the others are (if they are categories, name the column in"
                            + " data.table.categorical; if it means no value, name it in"
                            + " data.table.missing)";
        }

        boolean isText(String column) {
            return categorical.contains(column)
                    || (column.equals(label) && task == Task.CLASSIFICATION);
        }

        boolean isNumber(String column) {
            return numeric.contains(column) || (column.equals(label) && task.isNumber());
        }
    }

    /** Counts of a column: its values, those that are numbers, bytes of the longest, and looks. */
    private record Numbers(Column column, long values, long numbers, long longest, Ways ways) {}

    /** Whether some values begin as numbers do, and whether all are as short as a yes or a no. */
    private record Ways(boolean hasDigits, boolean isShort) {}

    /** What other values look like. */
    private record Looks(
            boolean isBoolean, long times, long dates, long grouped, long other, long dressed) {}

    private final DuckDb db;
    private final DataFormat format;
    private final TableFiles files;
    private final DecimalMark decimal;
    private final DateForms dateForms;
    private final List<String> sentences = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> grouped = new LinkedHashMap<>();
    private final Map<String, String> otherMarks = new LinkedHashMap<>();
    private final List<Disguise> texts = new ArrayList<>();
    private final Set<String> codes = new HashSet<>();

    /** Of the rows of {@code files}; {@code clock} tells which dates are still to come. */
    public ColumnForms(DuckDb db, TableFiles files, Clock clock) {
        this.db = db;
        this.format = files.format();
        this.files = files;
        this.decimal = files.decimal();
        this.dateForms = new DateForms(db, files.spec().dates(), clock);
    }

    /** What was taken though it might be meant otherwise. */
    public List<String> warnings() {
        return warnings;
    }

    /** Columns of whole numbers that may be codes, for their many digits. */
    public Set<String> codes() {
        return codes;
    }

    /** What the user should know of what was found. */
    public List<String> sentences() {
        return sentences;
    }

    /** The table with its columns as they are to be read; a few values may be none of that. */
    public StagedTable found(StagedTable table, Wishes wishes) {
        List<Column> open =
                table.columns().stream()
                        .filter(c -> c.isText() && !wishes.isText(c.name()))
                        .toList();
        List<Numbers> counts = numbers(table, open);
        List<Numbers> others =
                counts.stream().filter(n -> n.numbers() < n.values() || n.values() == 0).toList();
        List<Looks> looks = looks(table, others);
        Map<String, ColumnForm> forms = new LinkedHashMap<>();
        List<Column> plain = plain(counts, 0);
        plain.forEach(c -> forms.put(c.name(), ColumnForm.number(Source.NUMBER)));
        List<Column> dated = new ArrayList<>();
        for (int i = 0; i < others.size(); i++) {
            Numbers n = others.get(i);
            Column column = n.column();
            boolean isDate =
                    !column.name().equals(wishes.label())
                            && isMostly(looks.get(i).dates(), n.values());
            if (isDate && !wishes.isNumber(column.name())) {
                dated.add(column);
            } else {
                forms.put(column.name(), form(n, looks.get(i), wishes));
            }
        }
        forms.putAll(dateForms.of(table, dated));
        warnings.addAll(dateForms.warnings());
        if (decimal == DecimalMark.POINT) {
            warnings.addAll(PointedThousands.warnings(db, table, plain, files.spec().numeric()));
        }
        codes.addAll(LongCodes.of(db, table, files, plain(counts, LongCodes.FEWEST_DIGITS)));
        requireOneMark(table);
        sentences.addAll(Disguise.sentences(db, table, decimal, texts));
        return read(table, forms);
    }

    /** Columns all of whose texts are numbers, and some at least so long. */
    private static List<Column> plain(List<Numbers> counts, int length) {
        return counts.stream()
                .filter(n -> n.values() > 0 && n.numbers() == n.values() && n.longest() >= length)
                .map(Numbers::column)
                .toList();
    }

    private StagedTable read(StagedTable table, Map<String, ColumnForm> forms) {
        return table.with(
                table.columns().stream()
                        .map(
                                c ->
                                        forms.containsKey(c.name())
                                                ? c.as(forms.get(c.name()), decimal)
                                                : c)
                        .toList());
    }

    private List<Numbers> numbers(StagedTable table, List<Column> columns) {
        List<long[]> found =
                new ColumnQuery(db, table.name()).counts(columns, Column::input, this::numbers);
        List<Numbers> all = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            long[] n = found.get(i);
            Ways ways = new Ways(n[2] > 0, n[3] <= BooleanTexts.LONGEST);
            all.add(new Numbers(columns.get(i), n[0], n[1], n[3], ways));
        }
        return all;
    }

    /** Nothing that begins with a letter is tried: a failed parse takes long. */
    private List<String> numbers(String text) {
        String number = "CASE WHEN %s < ':' THEN %s END".formatted(text, decimal.number(text));
        return List.of(
                "count(" + text + ")",
                "count(" + number + ")",
                count(DecimalMark.mayBegin(text)),
                "coalesce(max(strlen(" + text + ")), 0)");
    }

    private List<Looks> looks(StagedTable table, List<Numbers> columns) {
        List<long[]> found =
                new ColumnQuery(db, table.name())
                        .counts(columns, Numbers::ways, n -> n.column().text(), this::looks);
        List<Looks> all = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            long[] n = found.get(i);
            boolean isBoolean = false;
            for (int pair = 5; pair < n.length; pair++) {
                isBoolean |= n[pair] == columns.get(i).values();
            }
            all.add(new Looks(isBoolean, n[0], n[1], n[2], n[3], n[4]));
        }
        return all;
    }

    private List<String> looks(Ways ways, String text) {
        List<String> conditions = new ArrayList<>();
        conditions.add(ColumnForm.number(Source.TIME).sql(text, decimal) + " IS NOT NULL");
        conditions.add(DateForms.looksLikeDate(text));
        conditions.add(decimal.isGrouped(text));
        conditions.add(decimal.isOther(text));
        conditions.add(DecimalMark.isDressed(text));
        List<String> counts = new ArrayList<>();
        conditions.forEach(c -> counts.add(ways.hasDigits() ? count(c) : NONE));
        BooleanTexts.conditions(text).forEach(c -> counts.add(ways.isShort() ? count(c) : NONE));
        return counts;
    }

    private static String count(String condition) {
        return "count(*) FILTER (" + condition + ")";
    }

    /** The form of a column of which some values are no plain numbers. */
    private ColumnForm form(Numbers n, Looks looks, Wishes wishes) {
        String name = n.column().name();
        boolean isLabel = name.equals(wishes.label());
        boolean isNumber = wishes.isNumber(name);
        if (n.values() == 0 || (looks.isBoolean() && !isNumber)) {
            return n.values() == 0 || isLabel ? ColumnForm.TEXT : ColumnForm.BOOLEAN;
        }
        if (isMostly(looks.times(), n.values()) && !isLabel) {
            return ColumnForm.number(Source.TIME);
        }
        boolean isThousands = decimal == DecimalMark.POINT && looks.grouped() > 0;
        long meant = n.numbers() + looks.grouped();
        if (isNumber || (meant > 0 && isMostly(meant, n.values()))) {
            if (isThousands) {
                grouped.put(name, n.column().text());
            }
            return ColumnForm.number(isThousands ? Source.THOUSANDS : Source.NUMBER);
        }
        if (looks.other() > COMMA_SHARE * n.values()) {
            otherMarks.put(name, n.column().text());
        } else {
            texts.add(
                    new Disguise(
                            n.column(),
                            n.values(),
                            n.numbers(),
                            looks.dates(),
                            looks.dressed(),
                            isThousands ? looks.grouped() : 0,
                            isLabel));
        }
        return ColumnForm.TEXT;
    }

    /** Whether what is not among {@code meant} are a few errors. */
    static boolean isMostly(long meant, long values) {
        long bad = values - meant;
        return meant > 0
                && (bad == 0 || (values >= FEWEST_VALUES && bad <= Math.max(1, FEW * values)));
    }

    /**
     * Numbers written with the other mark are texts to us, which nobody wants who has not said so.
     * Where one column has them, a comma before three digits in another one may be either.
     */
    private void requireOneMark(StagedTable table) {
        otherMarks.forEach(
                (name, text) ->
                        sentences.add(
                                "column '%s' is taken for text: its numbers have a decimal %s, as %s; %s"
                                        .formatted(
                                                name,
                                                decimal == DecimalMark.POINT ? "comma" : "point",
                                                example(table, text, decimal.isOther(text)),
                                                remedy())));
        grouped.forEach(
                (name, text) -> {
                    String value = example(table, text, decimal.isGrouped(text));
                    String plain = value.replace(",", "");
                    otherMarks.keySet().stream()
                            .findFirst()
                            .ifPresent(
                                    other -> {
                                        throw new ConfigException(
                                                ("%s, column '%s': %s may be %s, or a number with a"
                                                     + " decimal comma, as column '%s' has them;"
                                                     + " %s, or name '%s' in data.table.categorical"
                                                     + " or data.table.drop")
                                                        .formatted(
                                                                table.parts().get(0).file(),
                                                                name,
                                                                value,
                                                                plain,
                                                                other,
                                                                remedy(),
                                                                other));
                                    });
                    sentences.add(
                            "column '%s' has commas between thousands: %s is read as %s"
                                    .formatted(name, value, plain));
                });
    }

    private String remedy() {
        return BadRowPolicy.decimalRemedy(format, decimal);
    }

    private String example(StagedTable table, String text, String condition) {
        return BadRowPolicy.firstValue(db, table, condition, text);
    }
}
