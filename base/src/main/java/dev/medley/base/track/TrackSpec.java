package dev.medley.base.track;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The trackers that are told of a run while it trains.
 *
 * @param mlflow address of an MLflow server; null for none
 * @param experiment of MLflow under which the run stands; null for the job's name
 * @param register the registered model of MLflow that gets the trained model as its next version;
 *     null for none
 * @param required whether a run does not begin while MLflow is away
 * @param tensorboard a folder for event files, {@link #IN_RUN}, or null for none
 */
public record TrackSpec(
        @Nullable String mlflow,
        @Nullable String experiment,
        @Nullable String register,
        boolean required,
        @Nullable String tensorboard) {
    /** Stands for the folder {@code tensorboard} in the run's own. */
    public static final String IN_RUN = "true";

    public TrackSpec {
        check(
                mlflow != null || tensorboard != null,
                "track: names no tracker; set track.mlflow or track.tensorboard");
        if (mlflow != null) {
            URI unused = uri(mlflow);
        }
        refuseWithoutMlflow(mlflow, "experiment", experiment != null);
        refuseWithoutMlflow(mlflow, "register", register != null);
        refuseWithoutMlflow(mlflow, "required", required);
        check(experiment == null || !experiment.isBlank(), "track.experiment is blank: name one");
        check(
                register == null || register.matches("[^/:]*[^/:\\s][^/:]*"),
                "track.register=%s: a name without '/' and ':', as MLflow's registered models have",
                register);
    }

    /** Event files of TensorBoard alone, in that folder. */
    public static TrackSpec tensorboard(String folder) {
        return new TrackSpec(null, null, null, false, folder);
    }

    /** An MLflow server alone; the run stands under the job's name. */
    public static TrackSpec mlflow(String address) {
        return new TrackSpec(address, null, null, false, null);
    }

    /** The address of the MLflow server, without a slash at its end; null for none. */
    public @Nullable URI mlflowUri() {
        return mlflow == null ? null : uri(mlflow);
    }

    private static void refuseWithoutMlflow(@Nullable String mlflow, String key, boolean isSaid) {
        check(
                mlflow != null || !isSaid,
                "track.%s is about MLflow: set track.mlflow, or leave it out",
                key);
    }

    /**
     * The address of an MLflow server.
     *
     * @throws ConfigException if it is none, or holds a password, which job files and records would
     *     show
     */
    public static URI uri(String mlflow) {
        URI uri;
        try {
            uri = new URI(mlflow.strip().replaceFirst("/+$", ""));
        } catch (URISyntaxException e) {
            throw new ConfigException(refusal(mlflow), e);
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        check(
                uri.getUserInfo() == null,
                "track.mlflow: the address holds a name or password; set MLFLOW_TRACKING_USERNAME"
                        + " and MLFLOW_TRACKING_PASSWORD in the environment instead");
        check(
                (scheme.equals("http") || scheme.equals("https"))
                        && uri.getHost() != null
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null
                        && uri.getPort() <= 65_535,
                "%s",
                refusal(mlflow));
        return uri;
    }

    private static String refusal(String mlflow) {
        return "track.mlflow=%s: the address of an MLflow server, as http://localhost:5000"
                .formatted(mlflow);
    }
}
