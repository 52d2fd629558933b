package dev.medley.serving.mlflow;

import java.io.Serial;
import java.util.Map;

/** Tells why a question of MLflow's API has no answer, in the form of that API. */
final class MlflowFailure extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;
    private final int status;
    private final String code;

    private MlflowFailure(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    static MlflowFailure missing(String what) {
        return new MlflowFailure(404, "RESOURCE_DOES_NOT_EXIST", what);
    }

    static MlflowFailure invalid(String why) {
        return new MlflowFailure(400, "INVALID_PARAMETER_VALUE", why);
    }

    int status() {
        return status;
    }

    Map<String, String> body() {
        return Map.of("error_code", code, "message", String.valueOf(getMessage()));
    }
}
