package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.post.Letter;
import dev.medley.training.strategy.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Holds one cell at one site: the workers' pushes that were not forwarded yet, and the parameters
 * as its owner sent them last. Owned by {@link SiteServers}.
 */
final class SiteCell {
    private final int index;
    private final SiteCut.Cell cell;
    private final ElementType type;
    private final Span merged;
    private final Span parameters;
    private final @Nullable CellCoding coding;
    private double fullRate;
    private double weight;
    private double rate;
    private double basis;
    private long forwarded;
    private long slowest;
    private double version;
    private boolean isAwaited;

    /**
     * A way that nothing went.
     *
     * @param index of the cell among all
     * @param merged where pushes are added up
     * @param parameters of the site
     * @param coding of what leaves the site; null for none
     */
    SiteCell(
            int index,
            SiteCut.Cell cell,
            ElementType type,
            Span merged,
            Span parameters,
            @Nullable CellCoding coding) {
        this.index = index;
        this.cell = cell;
        this.type = type;
        this.merged = merged;
        this.parameters = parameters;
        this.coding = coding;
    }

    SiteCut.Cell cell() {
        return cell;
    }

    /** Whether the owner has not answered what was forwarded last. */
    boolean isAwaited() {
        return isAwaited;
    }

    /** Clocks of this site that were forwarded. */
    long forwarded() {
        return forwarded;
    }

    /** Clocks that all sites had forwarded when the owner answered last. */
    long slowest() {
        return slowest;
    }

    /** Clocks of updates that the parameters contain. */
    double version() {
        return version;
    }

    /**
     * A round begins.
     *
     * @param rateOfClock of a whole one at its beginning, where pushes move by their part of it;
     *     else 0
     */
    void begin(double rateOfClock) {
        fullRate = rateOfClock;
        weight = 0;
        forwarded = 0;
        slowest = 0;
        version = 0;
        isAwaited = false;
        if (coding != null) {
            coding.begin();
        }
    }

    /** The round was applied. */
    void applied() {
        if (coding != null) {
            coding.applied();
        }
    }

    /**
     * Adds what a worker pushed.
     *
     * @param gradient the cell's part of it
     * @param began version of the parameters that it began from
     */
    void add(Letter push, Span gradient, double began) {
        double scale = push.scale();
        if (weight == 0) {
            rate = 0;
            basis = 0;
            Memory.combine(gradient, gradient, merged, type, (x, same) -> scale * x);
        } else {
            Memory.combine(merged, gradient, merged, type, (x, y) -> x + scale * y);
        }
        weight += push.weight();
        rate += push.rate();
        basis += push.weight() * began;
    }

    /** A sum that was added up elsewhere is to go, at the rate of one push. */
    void set(PushSlots.Sum sum) {
        weight = sum.weight();
        rate = sum.rate();
        basis = 0;
    }

    /** All pushes up to a clock of the site are on their way to the owner. */
    void forwards(long clock) {
        forwarded = clock;
        isAwaited = true;
    }

    /** The letter that is on its way, as it is; its body is valid until more is added. */
    Letter take(long step) {
        boolean isAny = weight > 0;
        Span body = isAny ? merged : merged.slice(0, 0);
        double began = isAny ? basis / weight : version;
        int kind = SiteLetters.of(SiteLetters.FORWARD, index);
        Letter letter = new Letter(kind, step, forwarded, weight, rate, began, body);
        weight = 0;
        return letter;
    }

    /** The same through the codec, if there is one; valid until the next. */
    Letter coded(Letter letter) {
        return coding == null || letter.body().bytes() == 0
                ? letter
                : letter.as(SiteLetters.of(SiteLetters.CODED, index))
                        .with(coding.encode(letter.body(), unit(letter)));
    }

    /**
     * What a push moves the parameters by is rate times gradient / weight. Clocks move by the rate
     * of the schedule, whatever they weigh, and what was left out is kept as a mean gradient;
     * pushes that are applied as they come move by a rate in proportion to their samples, which
     * counts too.
     */
    private double unit(Letter letter) {
        boolean isOfSamples = fullRate > 0 && letter.rate() > 0;
        return isOfSamples ? letter.weight() * fullRate / letter.rate() : letter.weight();
    }

    /** The owner has answered. */
    void answered(Letter letter) {
        isAwaited = false;
        version = letter.weight();
        slowest = (long) letter.rate();
        if (letter.body().bytes() > 0) {
            parameters.copyFrom(letter.body());
        }
    }
}
