package dev.medley.cli.option;

import java.util.Locale;

/** Writes constants as job files and people write them. */
public final class JobWords {
    private JobWords() {}

    /** {@code SHARED_MEMORY} as {@code shared-memory}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
