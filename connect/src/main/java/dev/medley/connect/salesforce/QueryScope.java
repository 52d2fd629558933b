package dev.medley.connect.salesforce;

/** Says whether a query sees records that were deleted and are still in the bin. */
enum QueryScope {
    LIVE("query"),
    WITH_DELETED("queryAll");

    private final String word;

    QueryScope(String word) {
        this.word = word;
    }

    /** Salesforce's, of REST and of Bulk. */
    String word() {
        return word;
    }
}
