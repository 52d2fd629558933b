package dev.medley.serving.load;

import dev.medley.serving.load.LoadReport.ModelLoad;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of a server that compute, in all and by model, and says whether it is about
 * to stop.
 *
 * <p>Thread: any.
 */
public final class ServerLoad {
    /** Names come from callers: more are counted together alone, until some were not asked for. */
    private static final int MOST_MODELS = 1000;

    private final LoadEstimate all = new LoadEstimate();
    private final Map<String, LoadEstimate> models = new ConcurrentHashMap<>();
    private volatile boolean isEnding;
    private volatile long askedNs;
    private volatile boolean isAsked;
    private volatile long beganNs;

    /** A request under way. */
    public final class Request {
        private final long fromNs;
        private final int asOne;
        private final @Nullable LoadEstimate model;
        private final int asOneOfModel;

        private Request(long nowNs, @Nullable LoadEstimate model) {
            fromNs = nowNs;
            asOne = all.begin();
            this.model = model;
            asOneOfModel = model == null ? 0 : model.begin();
        }

        /** It is answered. */
        public void answered(long nowNs) {
            all.ended(asOne, nowNs - fromNs, nowNs);
            if (model != null) {
                model.ended(asOneOfModel, nowNs - fromNs, nowNs);
            }
        }

        /** It failed. */
        public void failed() {
            all.gone();
            if (model != null) {
                model.gone();
            }
        }
    }

    /** A request begins; {@code model} is null where its path does not name one. */
    public Request begin(@Nullable String model, long nowNs) {
        beganNs = nowNs;
        LoadEstimate own = model == null ? null : models.get(model);
        if (own == null && model != null && models.size() >= MOST_MODELS) {
            models.values().removeIf(load -> load.inFlight() == 0 && load.latencyNs(nowNs) == 0);
        }
        if (own == null && model != null && models.size() < MOST_MODELS) {
            own = models.computeIfAbsent(model, name -> new LoadEstimate());
        }
        return new Request(nowNs, own);
    }

    /** From now on routers are told to send nothing more. */
    public void end() {
        isEnding = true;
    }

    /** Whether it is about to stop. */
    public boolean isEnding() {
        return isEnding;
    }

    /** Whether a router asked for the load in the last {@code withinNs}. */
    public boolean isAskedFor(long nowNs, long withinNs) {
        return isAsked && nowNs - askedNs <= withinNs;
    }

    /** How long ago the last request began. */
    public long quietNs(long nowNs) {
        return nowNs - beganNs;
    }

    /**
     * The load for a router that asks.
     *
     * @param state of the server, unless it is about to stop
     */
    public LoadReport asked(String state, long nowNs) {
        askedNs = nowNs;
        isAsked = true;
        return report(isEnding ? LoadReport.ENDING : state, nowNs);
    }

    private LoadReport report(String state, long nowNs) {
        Map<String, ModelLoad> each = new TreeMap<>();
        models.forEach(
                (name, load) -> {
                    long latencyNs = load.latencyNs(nowNs);
                    if (latencyNs > 0 || load.inFlight() > 0) {
                        each.put(name, new ModelLoad(load.inFlight(), us(latencyNs)));
                    }
                });
        return new LoadReport(state, all.inFlight(), us(all.latencyNs(nowNs)), each);
    }

    /** Never 0 for what is known. */
    private static long us(long ns) {
        return (ns + 999) / 1000;
    }
}
