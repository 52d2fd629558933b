package dev.medley.spark.ml;

/**
 * Carries a name to the constructors of Spark's classes, which make parameters that bear it before
 * a constructor of Java can set a field.
 */
final class EarlyUid {
    private static final ThreadLocal<String> PENDING = new ThreadLocal<>();

    private EarlyUid() {}

    /** What is constructed next on this thread has that name. */
    static String of(String uid) {
        PENDING.set(uid);
        return uid;
    }

    /** The name of what is being constructed. */
    static String pending() {
        return PENDING.get();
    }
}
