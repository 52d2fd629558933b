package dev.medley.connect.postgres;

/**
 * Writes a binary numeric as text: digits to the base 10000 with the weight of the first, a sign,
 * and how many decimal places are shown (numeric_send in numeric.c). The text is what the server
 * would write.
 */
final class NumericText {
    private static final int HEADER_BYTES = 8;
    private static final int NEGATIVE = 0x4000;
    private static final int NAN = 0xC000;
    private static final int INFINITE = 0xD000;
    private static final int MINUS_INFINITE = 0xF000;

    private NumericText() {}

    static String of(byte[] bytes, int at) {
        int sign = Wire.int2(bytes, at + 4) & 0xFFFF;
        return switch (sign) {
            case NAN -> "NaN";
            case INFINITE -> "Infinity";
            case MINUS_INFINITE -> "-Infinity";
            default -> number(bytes, at, sign == NEGATIVE);
        };
    }

    private static String number(byte[] bytes, int at, boolean isNegative) {
        int digits = Wire.int2(bytes, at);
        int weight = Wire.int2(bytes, at + 2);
        int places = Wire.int2(bytes, at + 6);
        StringBuilder text = new StringBuilder(4 * (Math.max(weight, 0) + 2) + places);
        if (isNegative) {
            text.append('-');
        }
        int first = at + HEADER_BYTES;
        text.append(weight < 0 ? 0 : digit(bytes, first, 0, digits));
        for (int i = 1; i <= weight; i++) {
            four(text, digit(bytes, first, i, digits));
        }
        if (places > 0) {
            text.append('.');
            int end = text.length() + places;
            for (int i = weight + 1; text.length() < end; i++) {
                four(text, digit(bytes, first, i, digits));
            }
            text.setLength(end);
        }
        return text.toString();
    }

    private static int digit(byte[] bytes, int first, int index, int digits) {
        return index < 0 || index >= digits ? 0 : Wire.int2(bytes, first + 2 * index);
    }

    private static void four(StringBuilder text, int digit) {
        text.append((char) ('0' + digit / 1000))
                .append((char) ('0' + digit / 100 % 10))
                .append((char) ('0' + digit / 10 % 10))
                .append((char) ('0' + digit % 10));
    }
}
