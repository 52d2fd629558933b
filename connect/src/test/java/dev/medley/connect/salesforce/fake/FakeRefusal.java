package dev.medley.connect.salesforce.fake;

/** The org's word that it does not do what it was asked. */
final class FakeRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int status;
    final String code;

    FakeRefusal(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }
}
