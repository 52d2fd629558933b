package dev.medley.connect.salesforce.fake;

/** Names what can go wrong with one call. */
public enum FakeFault {
    NONE,
    /** The connection ends before the org hears the call. */
    CUT_BEFORE,
    /** The org does what it was asked, and the connection ends before its answer. */
    CUT_AFTER,
    /** The connection ends in the middle of the answer. */
    CUT_WITHIN,
    /** The answer is shorter than it was, and looks whole: a proxy that loses its end. */
    SHORTENED,
    /** No answer ever comes. */
    SILENT,
    /** 401: the token is no longer good. */
    UNAUTHORIZED,
    /** 403: the day's calls are used up. */
    LIMIT,
    /** 503 before anything is done. */
    UNAVAILABLE,
    /** 503 from a proxy, after all was done. */
    UNAVAILABLE_AFTER
}
