package dev.medley.control.forecast;

/** One way over a border: what a site sends to another. */
record Border(String from, String to) {
    @Override
    public String toString() {
        return from + " to " + to;
    }
}
