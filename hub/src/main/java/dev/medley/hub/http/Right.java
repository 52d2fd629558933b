package dev.medley.hub.http;

/** Names what a caller may be allowed to do. */
enum Right {
    /** To see jobs, machines and figures. */
    LOOK("look at the fleet"),
    /** To hand in jobs. */
    SUBMIT("submit jobs"),
    /** To cancel, pause and resume jobs: users their own, administrators all. */
    STEER("cancel, pause or resume jobs"),
    /** To offer a machine. */
    REPORT("offer a machine");

    private final String words;

    Right(String words) {
        this.words = words;
    }

    /** As what a sentence says that somebody may do. */
    String words() {
        return words;
    }
}
