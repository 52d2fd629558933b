package dev.medley.api.yaml;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes durations and sizes as people write them. The schema has checked the form; only
 * what does not fit a long is still an {@link ArithmeticException}.
 */
public final class Quantity {
    private static final Pattern FORM =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)", Pattern.UNICODE_CASE);
    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kMG]?)(bit|B)/s");
    private static final Map<String, Long> NANOSECONDS = new LinkedHashMap<>();
    private static final Map<String, Long> BYTES = new LinkedHashMap<>();

    static {
        NANOSECONDS.put("h", 3_600_000_000_000L);
        NANOSECONDS.put("m", 60_000_000_000L);
        NANOSECONDS.put("s", 1_000_000_000L);
        NANOSECONDS.put("ms", 1_000_000L);
        NANOSECONDS.put("us", 1_000L);
        NANOSECONDS.put("ns", 1L);
        NANOSECONDS.put("d", 86_400_000_000_000L);
        BYTES.put("TiB", 1L << 40);
        BYTES.put("GiB", 1L << 30);
        BYTES.put("MiB", 1L << 20);
        BYTES.put("KiB", 1L << 10);
        BYTES.put("B", 1L);
        BYTES.put("kiB", 1L << 10);
        BYTES.put("KB", 1_000L);
        BYTES.put("kB", 1_000L);
        BYTES.put("MB", 1_000_000L);
        BYTES.put("GB", 1_000_000_000L);
        BYTES.put("TB", 1_000_000_000_000L);
    }

    private Quantity() {}

    /** {@code "2m"}, {@code "1.5 s"}, or a number of seconds. */
    public static long durationNs(String text) {
        return parse(text, NANOSECONDS, "s");
    }

    /** The part of a whole that {@code "12.5%"} is. */
    public static double percent(String text) {
        String number = text.substring(0, text.indexOf('%')).strip();
        return new BigDecimal(number).movePointLeft(2).doubleValue();
    }

    /** {@code "12.5%"} for an eighth. */
    public static String percent(double part) {
        return BigDecimal.valueOf(part).movePointRight(2).stripTrailingZeros().toPlainString()
                + "%";
    }

    /** The factor in {@code "0.5x"}. */
    public static double times(String text) {
        return Double.parseDouble(text.substring(0, text.indexOf('x')));
    }

    /** {@code "4MB"} (10^6), {@code "512 MiB"} (2^20), or a number of bytes. */
    public static long sizeBytes(String text) {
        return parse(text, BYTES, "B");
    }

    /** Bytes a second of {@code "1 Gbit/s"} or {@code "125 MB/s"}. */
    public static double bytesPerSecond(String text) {
        Matcher matcher = RATE.matcher(text);
        if (!matcher.matches()) {
            throw new ArithmeticException("no bandwidth");
        }
        double power =
                switch (matcher.group(2)) {
                    case "k" -> 1e3;
                    case "M" -> 1e6;
                    case "G" -> 1e9;
                    default -> 1;
                };
        double inBytes = matcher.group(3).equals("bit") ? 1.0 / Byte.SIZE : 1;
        return Double.parseDouble(matcher.group(1)) * power * inBytes;
    }

    private static long parse(String text, Map<String, Long> units, String unitless) {
        Matcher matcher = FORM.matcher(text);
        boolean plain = !matcher.matches();
        BigDecimal number = new BigDecimal(plain ? text : matcher.group(1));
        String name = plain || matcher.group(2).isEmpty() ? unitless : matcher.group(2);
        Long unit = units.get(name);
        if (unit == null) {
            throw new ArithmeticException("unit " + name);
        }
        return number.multiply(BigDecimal.valueOf(unit))
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    /** The shortest exact form, in the largest unit that divides it. */
    public static String duration(long ns) {
        return ns == 0 ? "0s" : format(ns, NANOSECONDS, "");
    }

    /** The shortest exact form, in the largest binary unit that divides it. */
    public static String size(long bytes) {
        return bytes == 0 ? "0 B" : format(bytes, BYTES, " ");
    }

    private static String format(long value, Map<String, Long> units, String space) {
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (value % unit.getValue() == 0) {
                return value / unit.getValue() + space + unit.getKey();
            }
        }
        throw new IllegalStateException("no unit divides " + value);
    }
}
