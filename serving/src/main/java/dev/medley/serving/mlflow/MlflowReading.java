package dev.medley.serving.mlflow;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.record.folder.RunFolder;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.host.SlowWork;
import dev.medley.serving.registry.Registry;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Answers the reading part of MLflow's REST API, version 2.0, about the runs in a folder and the
 * models of a registry. Calls that would change something are not there.
 */
public final class MlflowReading {
    private static final String ROOT = "/api/2.0/mlflow/";
    private static final int LONGEST_BYTES = 1 << 20;

    private final Map<String, Function<MlflowQuestion, Map<String, Object>>> answers =
            new LinkedHashMap<>();

    private final SlowWork work = new SlowWork("questions about runs and models");

    /**
     * Of runs and models.
     *
     * @param runs the folder of runs
     * @param settings of a run's job, each by its dotted path
     */
    public MlflowReading(
            Path runs, Function<RunFolder, Map<String, String>> settings, Registry registry) {
        RunPages ofRuns = new RunPages(runs, settings);
        RegistryPages ofModels = new RegistryPages(registry);
        answers.put("experiments/search", ofRuns::experiments);
        answers.put("experiments/get", asked -> ofRuns.experiment(asked, "experiment_id"));
        answers.put(
                "experiments/get-by-name", asked -> ofRuns.experiment(asked, "experiment_name"));
        answers.put("runs/search", ofRuns::search);
        answers.put("runs/get", ofRuns::get);
        answers.put("metrics/get-history", ofRuns::history);
        answers.put("artifacts/list", ofRuns::files);
        answers.put("registered-models/search", ofModels::models);
        answers.put("registered-models/get", ofModels::model);
        answers.put("registered-models/get-latest-versions", ofModels::latest);
        answers.put("registered-models/alias", ofModels::alias);
        answers.put("model-versions/search", ofModels::versions);
        answers.put("model-versions/get", ofModels::version);
        answers.put("model-versions/get-download-uri", ofModels::place);
    }

    /** Adds its paths to a server. */
    public void addTo(ServerBuilder builder) {
        answers.forEach(
                (path, answer) -> {
                    // Searches come as GET or POST, by the client's version.
                    boolean isPosted = path.endsWith("/search") || path.endsWith("-versions");
                    HttpMethod[] methods =
                            isPosted
                                    ? new HttpMethod[] {HttpMethod.GET, HttpMethod.POST}
                                    : new HttpMethod[] {HttpMethod.GET};
                    builder.route()
                            .path(ROOT + path)
                            .methods(methods)
                            .maxRequestLength(LONGEST_BYTES)
                            .build(
                                    (ctx, request) ->
                                            HttpResponse.of(
                                                    request.aggregate()
                                                            .thenCompose(
                                                                    whole ->
                                                                            whole(
                                                                                    answer, ctx,
                                                                                    whole))));
                });
    }

    private CompletableFuture<HttpResponse> whole(
            Function<MlflowQuestion, Map<String, Object>> answer,
            ServiceRequestContext ctx,
            AggregatedHttpRequest whole) {
        return work.done(() -> answered(answer, ctx, whole.content().array()))
                .exceptionally(
                        thrown -> {
                            if (thrown instanceof ServingFailure busy) {
                                return json(503, failure(busy.sentence()));
                            }
                            throw new CompletionException(thrown);
                        });
    }

    private static Map<String, Object> failure(String why) {
        return Map.of("error_code", "TEMPORARILY_UNAVAILABLE", "message", why);
    }

    private static HttpResponse answered(
            Function<MlflowQuestion, Map<String, Object>> answer,
            ServiceRequestContext ctx,
            byte[] body) {
        try {
            return json(200, answer.apply(question(ctx, body)));
        } catch (MlflowFailure e) {
            return json(e.status(), e.body());
        } catch (ConfigException e) {
            return json(
                    500,
                    Map.of(
                            "error_code",
                            "INTERNAL_ERROR",
                            "message",
                            String.valueOf(e.getMessage())));
        }
    }

    private static MlflowQuestion question(ServiceRequestContext ctx, byte[] body) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        QueryParams given = ctx.queryParams();
        given.names().forEach(name -> query.put(name, given.getAll(name)));
        try {
            JsonNode json =
                    body.length == 0 ? Json.tree(Map.of()) : Json.parse(body, JsonNode.class);
            return new MlflowQuestion(query, json);
        } catch (JacksonException e) {
            throw MlflowFailure.invalid("the body is not JSON");
        }
    }

    private static HttpResponse json(int status, Object value) {
        return HttpResponse.of(
                ResponseHeaders.of(
                        HttpStatus.valueOf(status), HttpHeaderNames.CONTENT_TYPE, MediaType.JSON),
                HttpData.wrap(Json.bytes(value)));
    }
}
