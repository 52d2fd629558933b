package dev.medley.tenant.audit;

import dev.medley.base.ConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the last entry of a log by its number and hash. Who keeps it elsewhere finds later that the
 * log was cut off before it, or written anew.
 */
public record AuditHead(long number, String hash) {
    private static final Pattern TEXT =
            Pattern.compile("(?<number>\\d{1,18}):(?<hash>[0-9a-f]{64})");

    /** Of a log without entries. */
    static final AuditHead NONE = new AuditHead(0, AuditLine.ZEROS);

    /** The head in {@code NUMBER:HASH}; a {@link ConfigException} if it is none. */
    public static AuditHead of(String text) {
        Matcher head = TEXT.matcher(text.strip());
        ConfigException.check(
                head.matches(),
                "a head is NUMBER:HASH, as 'medley door audit verify' prints it; found a text of %d"
                        + " characters that is none",
                text.length());
        return new AuditHead(Long.parseLong(head.group("number")), head.group("hash"));
    }

    @Override
    public String toString() {
        return number + ":" + hash;
    }
}
