package dev.medley.serving.input;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Draws texts that people, programs and spreadsheets write into cells. */
final class OddCells {
    static final List<String> COLUMNS =
            List.of("n", "thousands", "day", "moment", "clock", "flag", "kind");

    private static final String[] SPACES = {
        "", "", "", " ", "  ", "\t", "\u00a0", "\u2003", "\u3000"
    };
    private static final String[] MISSING = {
        "", " ", "NA", "N/A", "na", "null", "NULL", "None", "nan", "NaN", "-", "?", "-999", "#N/A",
        "missing", "nil", "\u00a0", "\u2007", "\\N", "''"
    };
    private static final String[] NUMBERS = {
        "1",
        "-0",
        "0.10",
        "1.50",
        "007",
        "1e3",
        "1E+3",
        "1e-3",
        ".5",
        "5.",
        "+5",
        "+.5",
        "-.5e2",
        "1,234",
        "1,234.50",
        "1.234,5",
        "12,34",
        "1 234",
        "1_000",
        "1'234",
        "0x10",
        "0b1",
        "inf",
        "-inf",
        "Infinity",
        "+Infinity",
        "1e400",
        "1e-400",
        "-1e-400",
        "4.9e-324",
        "1d",
        "1f",
        "1L",
        "1,5",
        "-1,5",
        "1,234,567",
        "1,,234",
        ",5",
        "(5)",
        "5%",
        "$5",
        "1/2",
        "--1",
        "+-1",
        "1e",
        "e1",
        "1.2.3",
        "0.1e1.5",
        "9007199254740993",
        "123456789012345678901234567890",
        "1e308",
        "\uff11\uff12",
        "\u0661\u0662",
        "\u2212" + "5",
        "\u00bd",
        "1\u00a0234",
        "true",
        "1.0",
        "1.",
        "3.4028236e38",
        "0.30000000000000004",
        "1e+05",
        "1.e5",
        "NaN0",
        "x"
    };
    private static final String[] DAYS = {
        "2024-02-29",
        "2023-02-29",
        "2000-02-29",
        "1900-02-29",
        "0001-01-01",
        "9999-12-31",
        "10000-01-01",
        "0000-01-01",
        "-0001-01-01",
        "2024-1-1",
        "2024-01-1",
        "24-01-01",
        "01/02/2024",
        "13/02/2024",
        "2024/01/02",
        "2024.01.02",
        "20240102",
        "infinity",
        "-infinity",
        "epoch",
        "2024-W01-1",
        "2024-001",
        "2024-13-01",
        "2024-04-31",
        "2024-01-01T00:00:00",
        "2024-01-01 00:00",
        "2024-01-01T",
        "Jan 2 2024",
        "1969-12-31",
        "1582-10-10",
        "2024-01-02Z",
        "2024-01-02+02:00",
        "290000-01-01",
        "\uff12024-01-01",
        "2024\u201301\u201301",
        "1704067200"
    };
    private static final String[] MOMENTS = {
        "2024-01-01T24:00:00",
        "2024-01-01 24:00:00",
        "2024-01-01 23:59:60",
        "2024-03-10 02:30:00",
        "2024-10-27 02:30:00",
        "2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00+02:00",
        "2024-01-01T00:00:00+0200",
        "2024-01-01T00:00:00-00:30",
        "2024-01-01 00:00:00 UTC",
        "2024-01-01 00:00:00 Europe/Berlin",
        "2024-01-01 00:00:00.5",
        "2024-01-01 00:00:00.123456",
        "2024-01-01 00:00:00.123456789",
        "2024-01-01 0:0:0",
        "2024-01-01 00:00",
        "2024-01-01",
        "2024-01-01  12:00:00",
        "2024-01-01t12:00:00z",
        "9999-12-31 23:59:59.999999",
        "0001-01-01 00:00:00",
        "2024-02-29T23:59:59",
        "2023-02-29T00:00:00",
        "12:00:00",
        "2024-01-01 12:00:00 PM",
        "2024-01-01T12",
        "1e9",
        "1704067200",
        "2024-01-01 25:00:00"
    };
    private static final String[] CLOCKS = {
        "24:00", "24:00:00", "23:59:60", "12:00", "12:00:00", "1:2:3", "00:00:00", "12:00:00.5",
        "12:00:00.123456", "12:00+02", "12:00 PM", "12", "-01:00:00", "12:60", "12:00:00Z", "99:00"
    };
    private static final String[] FLAGS = {
        "yes", "no", "Yes", "NO", "yEs", "y", "n", "t", "f", "true", "false", "TRUE", "False", "on",
        "off", "1", "0", "1.0", "0.0", "2", "-1", "ja", "01"
    };
    private static final String[] KINDS = {
        "red",
        "Red",
        "red ",
        "1",
        "1.0",
        "01",
        "1e0",
        "+1",
        "1,5",
        "1.5",
        "1.50",
        "true",
        "True",
        "10",
        "10.0",
        "1e1",
        "-0",
        "0",
        "2024-01-01",
        "a,b",
        "a\"b",
        "a;b",
        "'red'",
        "\u00e9",
        "e\u0301",
        "nan0",
        "1_0",
        "0x1",
        "inf",
        "unheard of",
        "12345678901234567890",
        "1e5",
        "100000",
        "\ud83d\ude00"
    };

    private OddCells() {}

    /** A text for a column. */
    static String text(String column, RandomGenerator random) {
        String[] own =
                switch (column) {
                    case "n", "thousands" -> NUMBERS;
                    case "day" -> DAYS;
                    case "moment" -> MOMENTS;
                    case "clock" -> CLOCKS;
                    case "flag" -> FLAGS;
                    default -> KINDS;
                };
        int draw = random.nextInt(20);
        String text =
                draw < 3
                        ? any(MISSING, random)
                        : draw < 4
                                ? any(NUMBERS, random)
                                : draw < 5 ? any(FLAGS, random) : any(own, random);
        if (draw == 19) {
            text = text.toUpperCase(Locale.ROOT);
        }
        return any(SPACES, random) + text + any(SPACES, random);
    }

    /** A cell of CSV: in quotes where it has to be, and where chance has it. */
    static String csv(String text, char delimiter, RandomGenerator random) {
        boolean isQuoted =
                text.indexOf(delimiter) >= 0 || text.indexOf('"') >= 0 || random.nextInt(5) == 0;
        return isQuoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** Rows to learn from: usual values, so that each column is what its name says. */
    static List<List<String>> usual(boolean hasCommas, RandomGenerator random) {
        String[] kinds = {
            "red", "1", "1,5", "1.5", "true", "10", "2024-01-01", "a,b", "\u00e9", "01"
        };
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String number = i % 17 == 0 ? "NA" : "" + (random.nextInt(2000) / 8.0);
            String large = "%,d".formatted(1000 + random.nextInt(5_000_000));
            rows.add(
                    List.of(
                            hasCommas ? number.replace('.', ',') : number,
                            hasCommas ? large.replace(",", "") + ",5" : large,
                            "20%02d-%02d-%02d".formatted(i % 60, 1 + i % 12, 1 + i % 28),
                            "2024-%02d-%02d %02d:%02d:00"
                                    .formatted(1 + i % 12, 1 + i % 28, i % 24, i % 60),
                            "%02d:%02d".formatted(i % 24, i % 60),
                            i % 3 == 0 ? "yes" : "no",
                            kinds[random.nextInt(kinds.length)]));
        }
        return rows;
    }

    private static String any(String[] of, RandomGenerator random) {
        return of[random.nextInt(of.length)];
    }
}
