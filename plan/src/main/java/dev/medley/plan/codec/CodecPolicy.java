package dev.medley.plan.codec;

import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Chooses the codec of a path between two sites, of those that the user allows. It is a pure
 * function of the path, of the compute that hides it and of the progress of training.
 *
 * <p><em>No coarser than needed.</em> Bytes take rest + whole * part(c); the finest codec is enough
 * whose bytes hide behind compute, or, where none does, the finest that is nearly as fast as the
 * fastest.
 *
 * <p><em>No coarser than training bears.</em> With B samples a step, the noise scale phi = tr Sigma
 * / |G|^2 and the relative error w of a codec, a step has the variance |G|^2 phi/B by its samples,
 * and about w |G|^2 (1 + phi/B) by the codec. What is borne is a part of the first that falls while
 * training goes on,
 *
 * <pre>
 *     w (1 + B/phi) is at most 10^(-3 progress)
 * </pre>
 *
 * as much as the samples' own noise at the beginning, and a thousandth of it at the end: coarser
 * early or with noisy gradients, finer near the end. Where nobody measured phi, only progress
 * decides (B/phi is taken for 0). What a codec leaves out is sent later, so this stands on the
 * careful side.
 *
 * <p><em>It does not flap.</em> The codec in force stays while it would be right with a quarter
 * more or a fifth less compute to hide behind, and up to twice the error that is borne.
 *
 * @param ladder the codecs allowed, from the finest to the coarsest: each leaves fewer bytes and
 *     has a larger error than the one before
 */
record CodecPolicy(List<Coarseness> ladder) {
    /** Decades by which the error that is borne falls over a run. */
    private static final double DECADES = 3;

    /** A codec that saves less than that part of the fastest's time is not worth its error. */
    private static final double WORTH = 1.1;

    private static final double MORE_ROOM = 1.25;
    private static final double LESS_ROOM = 0.8;
    private static final double PATIENCE = 2;

    CodecPolicy {
        ladder = List.copyOf(ladder);
    }

    /** The policy of a job. Of two codecs of which one leaves more bytes and errs more, it goes. */
    static CodecPolicy of(CodecSpec spec) {
        List<Coarseness> all =
                spec.among().stream().map(codec -> Coarseness.of(codec, spec)).toList();
        return new CodecPolicy(
                all.stream()
                        .filter(one -> all.stream().noneMatch(other -> other.isBetterThan(one)))
                        .sorted(Comparator.comparingDouble(Coarseness::part).reversed())
                        .toList());
    }

    /**
     * What a decision follows from.
     *
     * @param hiddenNs compute of a step behind which bytes may travel
     * @param wholeNs of the bytes of a step on this way, as they are
     * @param restNs what no codec shortens
     * @param progress part of the run that is done, from 0 to 1
     * @param noise the noise scale over the samples of a step, phi/B; infinite where nobody
     *     measured it
     */
    record Situation(
            double hiddenNs, double wholeNs, double restNs, double progress, double noise) {
        double ns(Coarseness codec) {
            return restNs + wholeNs * codec.part();
        }

        /** The same where bytes may take at least so long. */
        Situation with(double roomNs) {
            return new Situation(Math.max(hiddenNs, roomNs), wholeNs, restNs, progress, noise);
        }
    }

    /**
     * What to do.
     *
     * @param codec from now on
     * @param why one sentence
     */
    record Decision(Compress codec, String why) {}

    /** Where nothing is measured yet: the coarsest that is borne to the end, else the finest. */
    Compress first() {
        return ladder.get(bears(1, Double.POSITIVE_INFINITY, 1)).codec();
    }

    /** The codec of the next steps. */
    Decision decide(Compress present, Situation now) {
        int least = Math.min(needs(now, MORE_ROOM), bears(now.progress(), now.noise(), 1));
        int most = Math.min(needs(now, LESS_ROOM), bears(now.progress(), now.noise(), PATIENCE));
        int best = Math.min(needs(now, 1), bears(now.progress(), now.noise(), 1));
        int held = place(present);
        int next = held >= least && held <= most ? held : best;
        return new Decision(ladder.get(next).codec(), why(next, now));
    }

    /**
     * The codec of the next steps where one was chosen with its bytes and its error in mind: it
     * stays as long as its error is borne. From then on it is the coarsest that is borne, or, where
     * that would take longer than compute hides, the finest that does not.
     */
    Decision keep(Compress chosen, Compress present, Situation now) {
        int most = place(chosen);
        double patience = present == chosen ? PATIENCE : 1;
        boolean isBorne = bears(now.progress(), now.noise(), patience) >= most;
        int borne = bears(now.progress(), now.noise(), 1);
        int least = Math.min(most, Math.max(needs(now, MORE_ROOM), borne));
        int greatest = Math.min(most, Math.max(needs(now, LESS_ROOM), borne));
        int best = Math.min(most, Math.max(needs(now, 1), borne));
        int held = place(present);
        int next = isBorne ? most : held >= least && held <= greatest ? held : best;
        return new Decision(ladder.get(next).codec(), why(next, now));
    }

    /** The finest whose bytes hide behind so much of the compute, or that is fast enough. */
    private int needs(Situation now, double room) {
        double fastest = now.ns(ladder.get(ladder.size() - 1));
        double most = Math.max(now.hiddenNs() * room, fastest * WORTH);
        int finest = 0;
        while (now.ns(ladder.get(finest)) > most) {
            finest++;
        }
        return finest;
    }

    /** The coarsest whose error is borne up to so many times; the finest is always. */
    private int bears(double progress, double noise, double times) {
        double most = times * Math.pow(10, -DECADES * progress);
        int coarsest = 0;
        for (int i = 1; i < ladder.size(); i++) {
            if (ladder.get(i).error() * (1 + 1 / noise) <= most) {
                coarsest = i;
            }
        }
        return coarsest;
    }

    /** Its place on the ladder; -1 for none. */
    int place(Compress codec) {
        for (int i = 0; i < ladder.size(); i++) {
            if (ladder.get(i).codec() == codec) {
                return i;
            }
        }
        return -1;
    }

    private String why(int next, Situation now) {
        Coarseness codec = ladder.get(next);
        String times =
                say(
                        "gradients cross sites as %s in %.1f ms, beside %.1f ms of computing",
                        word(codec), now.ns(codec) / 1e6, now.hiddenNs() / 1e6);
        int needed = needs(now, 1);
        if (needed > next) {
            Coarseness coarser = ladder.get(next + 1);
            return say(
                    "%s; %s would take %.1f ms, but %s its error is too large",
                    times, word(coarser), now.ns(coarser) / 1e6, when(now));
        }
        if (next == 0) {
            return times + "; nothing coarser is needed";
        }
        Coarseness finer = ladder.get(next - 1);
        String finely = finer.codec() == Compress.NONE ? "as they are they" : word(finer);
        return say("%s; %s would take %.1f ms", times, finely, now.ns(finer) / 1e6);
    }

    private static String when(Situation now) {
        String far = say("after %.0f %% of the run", 100 * now.progress());
        return Double.isInfinite(now.noise())
                ? far
                : say("%s and with a noise scale of %.2g batches", far, now.noise());
    }

    private static String word(Coarseness codec) {
        return word(codec.codec());
    }

    /** To follow "as". */
    static String word(Compress codec) {
        return codec == Compress.NONE ? "they are" : codec.name().toLowerCase(Locale.ROOT);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
