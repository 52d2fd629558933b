package dev.medley.training.worker;

import dev.medley.base.WorkerId;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.Formation;
import dev.medley.net.membership.View;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives each of a worker's groups its collective: forms it anew, or keeps it where the same members
 * continue under another plan. Forming takes a connection of each lane to each peer, secured at
 * both ends: on thin links and slow machines that is seconds in which no member trains, only for
 * new shares.
 *
 * <p>All members decide alike, from two views that they all know. A member that has lost its links
 * all the same forms anew by itself; the others then lose theirs to it, and all form the next group
 * anew.
 *
 * <p>Thread: the training thread.
 */
final class Gathering {
    private final ExchangeEndpoint endpoint;
    private final Consumer<@Nullable Collective> current;
    private final WorkerId self;

    /** What stands since then; null where nothing does. */
    private @Nullable Standing standing;

    /** How the group before exchanged, whether it still stands or not. */
    private @Nullable StrategySpec strategyBefore;

    /** A collective that was formed for a group, with what of that group has to stay as it is. */
    private record Standing(
            Formation.Formed formed, View view, StrategySpec strategy, long bufferBytes) {
        boolean fits(View next, StrategySpec ofNext, long bytes) {
            return next.plan().isContinued()
                    && next.group().epoch() == view.group().epoch() + 1
                    && next.group().members().equals(view.group().members())
                    && next.behind().isEmpty()
                    && !next.probesAnew()
                    && ofNext.equals(strategy)
                    && bytes == bufferBytes
                    && Objects.equals(next.plan().route(), view.plan().route())
                    && RelayChoice.of(next.group()).pairs().isEmpty();
        }
    }

    /**
     * Groups of {@code self}.
     *
     * @param current told which collective stands, so that it can be aborted; null for none
     */
    Gathering(ExchangeEndpoint endpoint, WorkerId self, Consumer<@Nullable Collective> current) {
        this.endpoint = endpoint;
        this.self = self;
        this.current = current;
    }

    /**
     * The collective of a view's group, or the fault. What was formed before ends, unless it goes
     * on.
     *
     * @param bufferBytes length of the exchange memory
     */
    Formation form(View view, StrategySpec strategy, long bufferBytes) {
        Standing before = standing;
        if (before != null
                && before.fits(view, strategy, bufferBytes)
                && before.formed().collective().continueAs(view.group().epoch())) {
            standing = new Standing(before.formed(), view, strategy, bufferBytes);
            return before.formed();
        }
        part();
        Formation formation = anew(view, strategy, bufferBytes);
        strategyBefore = strategy;
        if (formation instanceof Formation.Formed formed) {
            standing = new Standing(formed, view, strategy, bufferBytes);
            current.accept(formed.collective());
        }
        return formation;
    }

    private Formation anew(View view, StrategySpec strategy, long bytes) {
        StrategySpec last = strategyBefore;
        if (view.plan().isContinued() && last != null && strategy.sendsTheLikeOf(last)) {
            endpoint.keepResiduals();
        }
        if (view.probesAnew()) {
            endpoint.forgetWays();
        }
        return strategy.hasPost()
                ? endpoint.formWithPost(
                        view.group(), self, strategy.transport(), bytes, view.plan().route())
                : endpoint.form(
                        view.group(), self, strategy.transport(), bytes, view.plan().route());
    }

    /** Ends what stands: the next group is formed anew. */
    void part() {
        current.accept(null);
        Standing last = standing;
        standing = null;
        if (last != null) {
            last.formed().collective().close();
        }
    }
}
