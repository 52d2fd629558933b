package dev.medley.cli.command;

import java.util.Locale;

/** Writes constants as job files and people write them. */
final class JobWords {
    private JobWords() {}

    /** {@code SHARED_MEMORY} as {@code shared-memory}. */
    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
