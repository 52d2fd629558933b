package dev.medley.tenant.door;

/**
 * Says why a request is not answered, in S3's words. The message is for the caller, who may be
 * anybody: it says nothing of rows, nor of what others may read.
 */
final class DoorFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final long waitS;

    DoorFailure(int status, String code, String message) {
        this(status, code, message, 0);
    }

    /** The caller may ask again after {@code waitS} seconds; 0 where that is not known. */
    DoorFailure(int status, String code, String message, long waitS) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.waitS = waitS;
    }

    static DoorFailure badRequest(String message) {
        return new DoorFailure(400, "InvalidRequest", message);
    }

    /** No signature, or a wrong one. */
    static DoorFailure denied(String message) {
        return new DoorFailure(403, "AccessDenied", message);
    }

    /** Neither there, nor for this caller: nobody can tell which. */
    static DoorFailure noSuchKey() {
        return new DoorFailure(404, "NoSuchKey", "there is no such table for this caller");
    }

    static DoorFailure notImplemented(String message) {
        return new DoorFailure(501, "NotImplemented", message);
    }

    static DoorFailure slowDown(String message, long waitS) {
        return new DoorFailure(503, "SlowDown", message, waitS);
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    String said() {
        return String.valueOf(getMessage());
    }

    long waitS() {
        return waitS;
    }
}
