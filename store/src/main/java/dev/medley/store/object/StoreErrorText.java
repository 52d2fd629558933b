package dev.medley.store.object;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Extracts the sentence for a user from an OpenDAL error, which is a page: context, source and
 * backtrace.
 */
final class StoreErrorText {
    private static final Pattern S3 =
            Pattern.compile("code: \"(?<code>[^\"]*)\", message: \"(?<message>[^\"]*)\"");
    private static final Pattern SOURCE = Pattern.compile("\\nSource:\\n\\s*(?<source>[^\\n]+)");
    private static final Pattern URL = Pattern.compile(" for url \\([^)]*\\)");

    private StoreErrorText() {}

    static String of(String message) {
        Matcher s3 = S3.matcher(message);
        if (s3.find()) {
            return s3.group("code") + ": " + s3.group("message");
        }
        Matcher source = SOURCE.matcher(message);
        if (source.find()) {
            return URL.matcher(source.group("source")).replaceAll("");
        }
        return message.lines().findFirst().orElse("no reason given");
    }
}
