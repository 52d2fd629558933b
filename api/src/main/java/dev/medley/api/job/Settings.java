package dev.medley.api.job;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a command gives for a job besides its file, in order. They are keys with values
 * in YAML, {@code train.epochs=2}, and keys with a text as it stands, whatever characters it has.
 *
 * @param all of them, the later before the earlier where they set the same key
 */
public record Settings(List<Setting> all) {
    /** None. */
    public static final Settings NONE = new Settings(List.of());

    /**
     * One of them.
     *
     * @param assignment key, equals sign and value in YAML, or the key alone
     * @param text the value where it is a text as it stands; null where it is in the assignment
     * @param said by the user, for messages
     */
    public record Setting(String assignment, @Nullable String text, String said) {}

    public Settings {
        all = List.copyOf(all);
    }

    /** Those of {@code -s}: {@code train.epochs=2}. */
    public static Settings of(List<String> assignments) {
        return new Settings(
                assignments.stream().map(a -> new Setting(a, null, "-s " + a)).toList());
    }

    /**
     * These and another: a text as it stands, which is never read as YAML.
     *
     * @param key dotted path in the job
     * @param said by the user, for messages: {@code --listen [::1]:0}
     */
    public Settings with(String key, String text, String said) {
        return with(new Setting(key, text, said));
    }

    /** These and a number. */
    public Settings with(String key, long number, String said) {
        return with(new Setting(key + "=" + number, null, said));
    }

    /** These, and after them others. */
    public Settings with(Settings others) {
        List<Setting> both = new ArrayList<>(all);
        both.addAll(others.all);
        return new Settings(both);
    }

    private Settings with(Setting one) {
        return with(new Settings(List.of(one)));
    }
}
