import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.DoubleBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers with a model that Medley has trained, with ONNX Runtime alone. Reads {@code model.onnx}
 * and {@code encoding.json} from a folder; a row is a map of its columns, or its texts in the order
 * of {@link #columns}. Any thread may ask, several at once. JDK 17, ONNX Runtime 1.20 or later.
 */
public final class EdgeModel implements AutoCloseable {
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(NaN|Infinity|(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d+)?)");
    private static final Pattern GROUPED =
            Pattern.compile("[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]*)?");
    private static final Pattern CATEGORY_NUMBER =
            Pattern.compile("[-+]?(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d{1,3})?");
    private static final String TIME =
            "(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2}(?:[.]\\d+)?))?(?: ?([AaPp][Mm]))?"
                    + "(?: ?(Z|[-+]\\d{2}(?::?\\d{2})?))?)?";
    private static final Set<String> TRUE = Set.of("true", "yes", "y", "t", "on", "1", "1.0");
    private static final Set<String> FALSE = Set.of("false", "no", "n", "f", "off", "0", "0.0");

    /**
     * The answer for a row.
     *
     * @param label the class, or the number of the nearest cluster; null where the model gives a
     *     number
     * @param number NaN where the model gives none
     * @param scores the probability of each of {@link #classes}; the distance to a cluster's centre
     */
    public record Answer(String label, double number, float[] scores) {}

    private record Column(
            String name, String kind, Pattern iso, Pattern date, String order, Map<String, String> values) {}

    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;
    private final List<Column> columns = new ArrayList<>();
    private final List<String> classes;
    private final List<String> outputs;
    private final Set<String> missing;
    private final Set<Double> missingNumbers = new HashSet<>();
    private final boolean isComma;

    private EdgeModel(OrtSession session, Map<?, ?> encoding) {
        this.session = session;
        this.classes = texts(encoding.get("classes"));
        this.outputs = texts(encoding.get("outputs"));
        this.missing = new HashSet<>(texts(encoding.get("missing")));
        this.isComma = ",".equals(encoding.get("decimal"));
        for (String text : missing) {
            if (NUMBER.matcher(text).matches() && Double.isFinite(Double.parseDouble(text))) {
                missingNumbers.add(Double.parseDouble(text) + 0.0);
            }
        }
        for (Object each : (List<?>) encoding.get("columns")) {
            columns.add(column((Map<?, ?>) each));
        }
    }

    /** Opens the folder that {@code medley export --edge} made. */
    public static EdgeModel open(Path folder) throws IOException, OrtException {
        String json = Files.readString(folder.resolve("encoding.json"), StandardCharsets.UTF_8);
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        OrtSession session = environment.createSession(folder.resolve("model.onnx").toString());
        return new EdgeModel(session, (Map<?, ?>) new Json(json).whole());
    }

    /** Names of the columns that the model reads, in order. */
    public List<String> columns() {
        return columns.stream().map(Column::name).toList();
    }

    /** The classes in the order of their probabilities; empty where the model gives a number. */
    public List<String> classes() {
        return classes;
    }

    /** The answer for a row of texts, in the order of {@link #columns}. */
    public Answer predict(String[] row) throws OrtException {
        Map<String, Object> named = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            named.put(columns.get(i).name(), row[i]);
        }
        return predict(named);
    }

    /**
     * The answer for a row: texts as in a file, numbers, truths, or dates and times of java.time. A
     * column that is null, empty or not there is missing; columns that the model does not read are
     * passed over.
     */
    public Answer predict(Map<String, ?> row) throws OrtException {
        return predict(List.of(row)).get(0);
    }

    /** The answers for rows, all at once, which is quicker. */
    public List<Answer> predict(List<? extends Map<String, ?>> rows) throws OrtException {
        if (rows.isEmpty()) {
            return List.of();
        }
        Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
        try {
            for (Column column : columns) {
                inputs.put(column.name(), tensor(column, rows));
            }
            try (OrtSession.Result result = session.run(inputs)) {
                return answers(result, rows.size());
            }
        } finally {
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    @Override
    public void close() throws OrtException {
        session.close();
    }

    private OnnxTensor tensor(Column column, List<? extends Map<String, ?>> rows)
            throws OrtException {
        long[] shape = {rows.size(), 1};
        if (column.kind().equals("category")) {
            String[] texts = new String[rows.size()];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = category(column, rows.get(i).get(column.name()));
            }
            return OnnxTensor.createTensor(environment, texts, shape);
        }
        DoubleBuffer numbers = DoubleBuffer.allocate(rows.size());
        for (Map<String, ?> row : rows) {
            numbers.put(number(column, row.get(column.name())));
        }
        return OnnxTensor.createTensor(environment, numbers.flip(), shape);
    }

    private List<Answer> answers(OrtSession.Result result, int rows) throws OrtException {
        Object first = result.get(outputs.get(0)).orElseThrow().getValue();
        Object second = outputs.size() > 1 ? result.get(outputs.get(1)).orElseThrow().getValue() : null;
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            if (first instanceof String[] labels) {
                answers.add(new Answer(labels[i], Double.NaN, ((float[][]) second)[i]));
            } else if (first instanceof long[] clusters) {
                float[] distance = {((float[]) second)[i]};
                answers.add(new Answer(Long.toString(clusters[i]), Double.NaN, distance));
            } else {
                // As people write a float, without the digits that a double would add.
                double number = Double.parseDouble(Float.toString(((float[][]) first)[i][0]));
                answers.add(new Answer(null, number, new float[0]));
            }
        }
        return answers;
    }

    private Column column(Map<?, ?> told) {
        String dates = (String) told.get("dates");
        Map<String, String> values = new HashMap<>();
        List<String> known = texts(told.get("values"));
        known.forEach(value -> values.put(value, value));
        known.forEach(value -> values.putIfAbsent(key(value), value));
        return new Column(
                (String) told.get("name"),
                (String) told.get("kind"),
                Pattern.compile("(\\d{4})-(\\d{1,2})-(\\d{1,2})" + TIME),
                dates == null ? null : Pattern.compile(shape(dates) + TIME),
                dates == null ? "" : dates.replaceAll("[^Yymd]", ""),
                values);
    }

    private static String shape(String dates) {
        return dates.replace(".", "[.]")
                .replace("%Y", "(\\d{4})")
                .replace("%y", "(\\d{2})")
                .replaceAll("%[md]", "(\\\\d{1,2})");
    }

    private String category(Column column, Object value) {
        String text = bare(value);
        if (text == null) {
            return "";
        }
        String known = column.values().get(text);
        return known != null ? known : column.values().getOrDefault(key(text), text);
    }

    /** Texts of one number, or of one truth, are one category. */
    private String key(String text) {
        String point = !isComma ? text : text.indexOf('.') >= 0 ? "" : text.replace(',', '.');
        if (point.length() <= 1000 && CATEGORY_NUMBER.matcher(point).matches()) {
            BigDecimal number = new BigDecimal(point);
            return number.signum() == 0 ? "0" : number.stripTrailingZeros().toString();
        }
        boolean isFlag = text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
        return isFlag ? text.toLowerCase(Locale.ROOT) : text;
    }

    /** A value as a text; null where it means that there is none. */
    private String bare(Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof Number number && missingNumbers.contains(number.doubleValue() + 0.0)) {
            return null;
        }
        String text = value.toString().strip();
        return text.isEmpty() || missing.contains(text) ? null : text;
    }

    private double number(Column column, Object value) {
        if (value instanceof Boolean flag) {
            return flag ? 1 : 0;
        } else if (value instanceof Instant instant) {
            return instant.getEpochSecond() + instant.getNano() / 1e9;
        } else if (value instanceof LocalDateTime moment) {
            return moment.toEpochSecond(ZoneOffset.UTC) + moment.getNano() / 1e9;
        } else if (value instanceof LocalDate day) {
            return day.toEpochDay() * 86_400.0;
        } else if (value instanceof LocalTime time) {
            return time.toNanoOfDay() / 1e9;
        }
        String text = bare(value);
        if (text == null) {
            return Double.NaN;
        }
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        Double read =
                switch (column.kind()) {
                    case "moment" -> moment(column, text);
                    case "time" -> time(text);
                    case "boolean" -> flag(text);
                    case "thousands" ->
                            GROUPED.matcher(text).matches() ? plain(text.replace(",", "")) : plain(text);
                    default -> plain(text);
                };
        if (read == null) {
            throw new IllegalArgumentException(
                    "column '" + column.name() + "': '" + text + "' is no " + column.kind()
                            + (column.order().isEmpty() ? "" : " as in training"));
        }
        return read;
    }

    private Double plain(String text) {
        if (isComma && text.contains(".")) {
            return null;
        }
        String point = isComma ? text.replace(',', '.') : text;
        if (NUMBER.matcher(point).matches()) {
            return Double.valueOf(point);
        }
        return switch (point.toLowerCase(Locale.ROOT).replaceFirst("^[+]", "")) {
            case "nan" -> Double.NaN;
            case "inf", "infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> null;
        };
    }

    private static Double flag(String text) {
        String low = text.toLowerCase(Locale.ROOT);
        return TRUE.contains(low) ? Double.valueOf(1) : FALSE.contains(low) ? Double.valueOf(0) : null;
    }

    private static Double time(String text) {
        Matcher found = Pattern.compile(TIME.substring(0, TIME.length() - 1)).matcher(" " + text);
        return found.matches() ? seconds(found, 1) : null;
    }

    private static Double moment(Column column, String text) {
        Matcher found = column.iso().matcher(text);
        if (found.matches()) {
            return moment(found, "Ymd");
        }
        found = column.date().matcher(text);
        return found.matches() ? moment(found, column.order()) : null;
    }

    private static Double moment(Matcher found, String order) {
        int year = Integer.parseInt(found.group(Math.max(order.indexOf('Y'), order.indexOf('y')) + 1));
        if (order.indexOf('y') >= 0) {
            year += year < 69 ? 2000 : 1900;
        }
        int month = Integer.parseInt(found.group(order.indexOf('m') + 1));
        int day = Integer.parseInt(found.group(order.indexOf('d') + 1));
        if (!ChronoField.MONTH_OF_YEAR.range().isValidValue(month)
                || day < 1
                || day > LocalDate.of(year, month, 1).lengthOfMonth()) {
            return null;
        }
        Double seconds = found.group(4) == null ? Double.valueOf(0) : seconds(found, 4);
        return seconds == null
                ? null
                : Double.valueOf(LocalDate.of(year, month, day).toEpochDay() * 86_400.0 + seconds);
    }

    /** Of hour, minute, second, half of the day and offset, which begin at a group. */
    private static Double seconds(Matcher found, int at) {
        int hour = Integer.parseInt(found.group(at));
        int minute = Integer.parseInt(found.group(at + 1));
        double second = found.group(at + 2) == null ? 0 : Double.parseDouble(found.group(at + 2));
        String half = found.group(at + 3);
        if (half != null) {
            hour = hour % 12 + (half.equalsIgnoreCase("pm") ? 12 : 0);
        }
        if (hour > 23 || minute > 59 || second >= 60) {
            return null;
        }
        String offset = found.group(at + 4);
        double away =
                offset == null ? 0 : ZoneOffset.of(offset.length() == 3 ? offset + ":00" : offset)
                        .getTotalSeconds();
        return hour * 3600.0 + minute * 60.0 + second - away;
    }

    private static List<String> texts(Object list) {
        return list == null ? List.of() : ((List<?>) list).stream().map(String::valueOf).toList();
    }

    /** Reads JSON: enough for encoding.json, which Medley wrote. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object whole() {
            switch (peek()) {
                case '{' -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    for (at++; peek() != '}'; skipComma()) {
                        String key = (String) whole();
                        at = text.indexOf(':', at) + 1;
                        object.put(key, whole());
                    }
                    at++;
                    return object;
                }
                case '[' -> {
                    List<Object> list = new ArrayList<>();
                    for (at++; peek() != ']'; skipComma()) {
                        list.add(whole());
                    }
                    at++;
                    return list;
                }
                case '"' -> {
                    at++;
                    return string();
                }
                default -> {
                    int from = at;
                    while (at < text.length() && ",]} \r\n\t".indexOf(text.charAt(at)) < 0) {
                        at++;
                    }
                    return word(text.substring(from, at));
                }
            }
        }

        private static Object word(String word) {
            return switch (word) {
                case "null" -> null;
                case "true" -> true;
                case "false" -> false;
                default -> Double.valueOf(word);
            };
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        private void skipComma() {
            while (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == ',') {
                at++;
            }
        }

        private String string() {
            StringBuilder read = new StringBuilder();
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                if (c != '\\') {
                    read.append(c);
                    continue;
                }
                char escaped = text.charAt(at++);
                switch (escaped) {
                    case 'n' -> read.append('\n');
                    case 't' -> read.append('\t');
                    case 'r' -> read.append('\r');
                    case 'b' -> read.append('\b');
                    case 'f' -> read.append('\f');
                    case 'u' -> {
                        read.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                        at += 4;
                    }
                    default -> read.append(escaped);
                }
            }
            return read.toString();
        }
    }
}
