package dev.medley.tensor.kmeans;

import dev.medley.tensor.kmeans.KMeansState.Array;
import dev.medley.tensor.kmeans.KMeansState.Number;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Tells how a fit went, in a sentence. */
final class FitStory {
    private static final int MOST = 10;

    private FitStory() {}

    static String of(KMeansState state) {
        int restarts = state.shape().restarts();
        String story = fit(state, state.whole(Number.BEST));
        if (restarts > 1) {
            List<String> others = new ArrayList<>();
            for (int i = 0; i < Math.min(MOST, restarts); i++) {
                others.add(fit(state, i));
            }
            story +=
                    ", the lowest of %d fits (%s%s)"
                            .formatted(
                                    restarts,
                                    String.join("; ", others),
                                    restarts > MOST ? "; and others" : "");
        }
        long mended = state.whole(Number.MENDED);
        if (mended > 0) {
            story +=
                    "; centres without samples were given the farthest of those drawn, %d in all"
                            .formatted(mended);
        }
        long empty = Arrays.stream(state.get(Array.SIZES)).filter(size -> size == 0).count();
        if (empty > 0) {
            story += "; %d clusters are empty: take a lower model.k".formatted(empty);
        }
        return story;
    }

    private static String fit(KMeansState state, int restart) {
        return String.format(
                Locale.ROOT,
                "inertia %.7g after %d iterations",
                state.get(Array.INERTIAS, restart),
                (int) state.get(Array.ITERATIONS, restart));
    }
}
