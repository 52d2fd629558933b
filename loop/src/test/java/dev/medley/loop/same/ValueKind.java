package dev.medley.loop.same;

import dev.medley.connect.table.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Kinds of values that Parquet, PostgreSQL and Iceberg all have. A value is a text: digits of a
 * whole number, days, microseconds, the bits of a double, or what it is.
 */
enum ValueKind {
    WHOLE("BIGINT", "bigint", ColumnType.INTEGER),
    DECIMAL("DECIMAL(38, 10)", "numeric(38, 10)", ColumnType.DECIMAL),
    TEXT("VARCHAR", "text", ColumnType.TEXT),
    DAY("DATE", "date", ColumnType.DATE),
    DATETIME("TIMESTAMP", "timestamp", ColumnType.DATETIME),
    INSTANT("TIMESTAMPTZ", "timestamptz", ColumnType.INSTANT),
    REAL("DOUBLE", "float8", ColumnType.REAL),
    FLAG("BOOLEAN", "boolean", ColumnType.BOOLEAN),
    BYTES("BLOB", "bytea", ColumnType.BYTES);

    static final long DAY_MICROS = 86_400_000_000L;

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final List<ZoneOffset> ZONES =
            List.of(
                    ZoneOffset.UTC,
                    ZoneOffset.ofHoursMinutes(5, 30),
                    ZoneOffset.ofHours(-11),
                    ZoneOffset.ofHours(14));
    private static final List<Long> LONGS =
            List.of(
                    0L,
                    -1L,
                    (1L << 53) + 1,
                    -(1L << 53) - 1,
                    (1L << 53) + 2,
                    Long.MAX_VALUE,
                    Long.MIN_VALUE);
    private static final List<Double> DOUBLES =
            List.of(
                    0.0,
                    -0.0,
                    0.1,
                    Double.NaN,
                    Double.POSITIVE_INFINITY,
                    Double.NEGATIVE_INFINITY,
                    Double.MIN_VALUE,
                    Double.MAX_VALUE,
                    0x1.0p53 + 2);
    private static final List<String> TEXTS =
            List.of(
                    "",
                    " ",
                    "a",
                    "A",
                    "a ",
                    "\u00e4",
                    "a\u0308",
                    "\u65e5\u672c\u8a9e",
                    "\ud83d\ude00",
                    "O'Brien",
                    "a,b;c\t|\"d\"",
                    "two\nlines\r\n",
                    "\\N",
                    "\\x41",
                    "NULL",
                    "null",
                    "NaN",
                    "007",
                    "1e3",
                    "\u200b",
                    "\ufffd\uffff\u0001",
                    "\u05d0\u202e",
                    "'; DROP TABLE facts; --",
                    "?{$1}%s",
                    "long ".repeat(2000));

    private final String duckDb;
    private final String postgres;
    private final ColumnType column;

    ValueKind(String duckDb, String postgres, ColumnType column) {
        this.duckDb = duckDb;
        this.postgres = postgres;
        this.column = column;
    }

    String duckDbType() {
        return duckDb;
    }

    String postgresType() {
        return postgres;
    }

    Type icebergType() {
        return switch (this) {
            case WHOLE -> Types.LongType.get();
            case DECIMAL -> Types.DecimalType.of(38, 10);
            case TEXT -> Types.StringType.get();
            case DAY -> Types.DateType.get();
            case DATETIME -> Types.TimestampType.withoutZone();
            case INSTANT -> Types.TimestampType.withZone();
            case REAL -> Types.DoubleType.get();
            case FLAG -> Types.BooleanType.get();
            case BYTES -> Types.BinaryType.get();
        };
    }

    ColumnType column() {
        return column;
    }

    boolean isTime() {
        return this == DAY || this == DATETIME || this == INSTANT;
    }

    /** The value of a moment, of which a day keeps the day alone. */
    String ofMicros(long micros) {
        return Long.toString(this == DAY ? Math.floorDiv(micros, DAY_MICROS) : micros);
    }

    /** The moment of a value; days and times without a zone are of UTC. */
    long micros(String value) {
        long number = Long.parseLong(value);
        return this == DAY ? number * DAY_MICROS : number;
    }

    String draw(RandomGenerator random) {
        return switch (this) {
            case WHOLE ->
                    Long.toString(random.nextBoolean() ? of(LONGS, random) : random.nextLong());
            case DECIMAL -> decimal(random);
            case TEXT -> of(TEXTS, random);
            case DAY, DATETIME, INSTANT -> time(random);
            case REAL ->
                    bits(
                            random.nextBoolean()
                                    ? of(DOUBLES, random)
                                    : random.nextGaussian() * Math.pow(10, random.nextInt(40)));
            case FLAG -> random.nextBoolean() ? "1" : "0";
            case BYTES -> {
                StringBuilder hex = new StringBuilder();
                for (int i = random.nextInt(5); i > 0; i--) {
                    hex.append("%02X".formatted(random.nextInt(256)));
                }
                yield hex.toString();
            }
        };
    }

    private static String decimal(RandomGenerator random) {
        int digits = 1 + random.nextInt(38);
        BigInteger unscaled =
                new BigInteger(
                        1, random.nextBoolean() ? new byte[] {0} : bytes(random, digits * 3 / 8));
        unscaled = unscaled.mod(BigInteger.TEN.pow(digits));
        if (random.nextBoolean()) {
            unscaled = unscaled.negate();
        }
        return new BigDecimal(unscaled, 10).toPlainString();
    }

    private static byte[] bytes(RandomGenerator random, int count) {
        byte[] bytes = new byte[count + 1];
        random.nextBytes(bytes);
        return bytes;
    }

    private String time(RandomGenerator random) {
        return switch (random.nextInt(12)) {
            case 0 -> Long.toString(ColumnType.INFINITE);
            case 1 -> Long.toString(ColumnType.MINUS_INFINITE);
            case 2 -> ofMicros(LocalDate.of(1, 1, 1).toEpochDay() * DAY_MICROS);
            case 3 -> ofMicros((LocalDate.of(9999, 12, 31).toEpochDay() + 1) * DAY_MICROS - 1);
            case 4 -> ofMicros(-1);
            default -> ofMicros(random.nextLong(4_000_000_000_000_000L) - 1_000_000_000_000_000L);
        };
    }

    static String bits(double value) {
        return Long.toHexString(Double.doubleToLongBits(value));
    }

    /** A value in SQL. */
    String literal(String value, boolean isPostgres) {
        String type = isPostgres ? postgres : duckDb;
        return switch (this) {
            case BYTES -> (isPostgres ? "decode('%s', 'hex')" : "unhex('%s')").formatted(value);
            case TEXT -> "CAST('%s' AS %s)".formatted(value.replace("'", "''"), type);
            case FLAG -> value.equals("1") ? "true" : "false";
            case WHOLE, DECIMAL -> "CAST('%s' AS %s)".formatted(value, type);
            case REAL ->
                    "CAST('%s' AS %s)"
                            .formatted(
                                    Double.longBitsToDouble(Long.parseUnsignedLong(value, 16)),
                                    type);
            case DAY, DATETIME, INSTANT ->
                    "CAST('%s' AS %s)".formatted(time(Long.parseLong(value)), type);
        };
    }

    private String time(long value) {
        if (value == ColumnType.INFINITE || value == ColumnType.MINUS_INFINITE) {
            return value > 0 ? "infinity" : "-infinity";
        }
        if (this == DAY) {
            return LocalDate.ofEpochDay(value).toString();
        }
        ZoneOffset zone =
                this == INSTANT && Math.abs(value) < 5_000_000_000_000_000L
                        ? ZONES.get(Math.floorMod(Long.hashCode(value), ZONES.size()))
                        : ZoneOffset.UTC;
        long second = Math.floorDiv(value, 1_000_000L) + zone.getTotalSeconds();
        int nano = (int) Math.floorMod(value, 1_000_000L) * 1000;
        String text = LocalDateTime.ofEpochSecond(second, nano, ZoneOffset.UTC).format(MICROS);
        String sign = zone.getTotalSeconds() == 0 ? "+00:00" : zone.getId();
        return this == INSTANT ? text + sign : text;
    }

    private static <T> T of(List<T> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }
}
