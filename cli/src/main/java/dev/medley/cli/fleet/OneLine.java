package dev.medley.cli.fleet;

/** Makes a line of a table of what a hub says: nothing in it moves the cursor or breaks it. */
final class OneLine {
    private OneLine() {}

    /** The text with each run of line ends and other control characters as one space. */
    static String of(String text) {
        return text.strip().replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ");
    }
}
