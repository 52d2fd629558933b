package dev.medley.base.text;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes constants as job files and people have them: {@code LOCAL_SGD} is local-sgd. */
public final class Words {
    private Words() {}

    /** The word of a constant. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The words of several, in their order. */
    public static String of(Collection<? extends Enum<?>> constants) {
        return constants.stream().map(Words::of).collect(Collectors.joining(", "));
    }
}
