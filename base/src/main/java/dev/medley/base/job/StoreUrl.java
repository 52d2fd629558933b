package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder of an object store that several machines reach.
 *
 * @param scheme kind of the store
 * @param bucket of {@link Scheme#S3}; empty for a folder of files
 * @param folder within the bucket, empty for all of it; the absolute path of {@link Scheme#FILE}
 */
public record StoreUrl(Scheme scheme, String bucket, String folder) {
    private static final Pattern S3 =
            Pattern.compile("s3://(?<bucket>[A-Za-z0-9][A-Za-z0-9._-]{1,62})(/(?<folder>.*))?");
    private static final Pattern FILE = Pattern.compile("file://(?<folder>/.+)");

    private static final Pattern URL = Pattern.compile("(?<scheme>[A-Za-z][A-Za-z0-9+.-]+)://.*");

    /** Kinds of object stores. */
    public enum Scheme {
        /** Amazon's, or one that speaks its protocol. */
        S3,
        /** A folder that all see, perhaps under unlike paths to the data itself. */
        FILE
    }

    /**
     * Reads {@code s3://BUCKET/FOLDER} or {@code file:///FOLDER}.
     *
     * @param key of the job that has it, for the message
     */
    public static StoreUrl of(String key, String text) {
        Matcher s3 = S3.matcher(text);
        if (s3.matches()) {
            String folder = s3.group("folder") == null ? "" : s3.group("folder");
            return new StoreUrl(Scheme.S3, s3.group("bucket"), folder.replaceAll("/+$", ""));
        }
        Matcher file = FILE.matcher(text);
        check(
                file.matches(),
                "%s=%s: s3://BUCKET/FOLDER is needed, or file:///FOLDER for one that all machines"
                        + " see",
                key,
                text);
        return new StoreUrl(Scheme.FILE, "", file.group("folder").replaceAll("(?<=.)/+$", ""));
    }

    /** Whether what a job calls its data is a place in a store, and no path of this machine. */
    public static boolean isUrl(String text) {
        return URL.matcher(text).matches();
    }

    /**
     * Reads {@code s3://BUCKET/KEY}, whose key may be an object, a folder or a pattern, or {@code
     * file:///PATH}.
     *
     * @param key of the job that has it, for the message
     */
    public static StoreUrl ofData(String key, String text) {
        check(
                S3.matcher(text).matches() || FILE.matcher(text).matches(),
                "%s=%s: data is read from files, s3://BUCKET/KEY and file:///PATH; bring it to one"
                        + " of these first",
                key,
                text);
        return of(key, text);
    }

    /** All of the bucket that this is in. */
    public StoreUrl wholeBucket() {
        return new StoreUrl(scheme, bucket, "");
    }

    @Override
    public String toString() {
        return scheme == Scheme.FILE
                ? "file://" + folder
                : "s3://" + bucket + (folder.isEmpty() ? "" : "/" + folder);
    }
}
