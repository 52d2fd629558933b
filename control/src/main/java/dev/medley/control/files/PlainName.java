package dev.medley.control.files;

import dev.medley.base.ConfigException;
import java.util.regex.Pattern;

/**
 * Checks names that another machine gives to files in a folder of this one, so that none leads out
 * of it.
 */
public final class PlainName {
    /** No separator, no control character, which would hide one, and no dot at the begin. */
    private static final Pattern FORM = Pattern.compile("[^./\\\\\\p{Cntrl}][^/\\\\\\p{Cntrl}]*");

    private PlainName() {}

    /**
     * The name, if what it names stays in its folder.
     *
     * @param what it is, in the message
     * @throws ConfigException if it does not
     */
    public static String require(String name, String what) {
        ConfigException.check(
                FORM.matcher(name).matches(),
                "%s \"%s\": a plain file name is needed",
                what,
                name.replaceAll("\\p{Cntrl}", "?"));
        return name;
    }
}
