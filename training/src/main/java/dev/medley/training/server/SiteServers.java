package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Clocks;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.ParameterShard;
import dev.medley.training.strategy.Part;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves all parameters at every site, so that workers push only to servers of their own site. A
 * server adds up what the workers of its site pushed, with their weights, and forwards the sum to
 * the server that moves the parameters, at their home site; that one answers with the parameters,
 * with which the workers continue. So what crosses borders in a clock does not grow with the
 * workers of a site (after the server group for each data center of Gaia, Hsieh et al., NSDI 2017):
 *
 * <pre>
 *     P bytes, S sites, a share F_s at home at site s:
 *     site s sends (1 - F_s) P of gradients and (S - 1) F_s P of parameters,  all 2 (S - 1) P
 * </pre>
 *
 * <p>To the server that moves the parameters a site is one worker: {@link ShardServer}. A site
 * forwards, and its workers continue, as follows:
 *
 * <pre>
 *     bulk     each clock when all of the site have given it;  when its parameters have come
 *     stale    each clock, or some, when all of the site have given them and what was forwarded
 *              before is answered;  who would be at most so many clocks ahead of all workers, as
 *              the last answer said
 *     async    the same by the number of pushes, whoever gave them;  at once
 * </pre>
 *
 * <p>The slowest worker of all may always continue: all others have given its clock, so their sites
 * forward it, and the owner answers a site that is not ahead of the bound.
 *
 * <p>Thread: the post's brings letters, the training thread begins rounds; a monitor, under which
 * those of the owned cells are entered.
 */
final class SiteServers implements Servers {
    private final ServerSteps.Settings settings;
    private final Sync sync;
    private final Post post;
    private final ElementType type;
    private final SiteMap sites;
    private final int site;
    private final List<Integer> mates;
    private final Map<Integer, Stretches> parts = new LinkedHashMap<>();
    private final Map<Integer, SiteCell> ways = new LinkedHashMap<>();
    private final Map<Integer, SiteOwner> owned = new LinkedHashMap<>();

    // Guarded by this.
    private final Span merged;
    private final Span parameters;
    private final PushSlots slots;
    private final @Nullable Letter[] early;
    private final boolean[] isUnanswered;
    private final List<Map<SiteCell, Double>> began;
    private @Nullable Clocks clocks;
    private long step;
    private long clock;

    /**
     * Servers of a group.
     *
     * @param sites at least two
     * @param weights of the servers' parts by rank, as {@link SiteCut#of} takes them
     */
    SiteServers(
            ServerSteps.Settings settings,
            Replica replica,
            Post post,
            SiteMap sites,
            List<Double> weights) {
        this.settings = settings;
        this.sync = settings.async().sync();
        this.post = post;
        this.type = replica.layout().type();
        this.sites = sites;
        this.site = sites.siteOf(post.rank());
        this.mates = sites.at(site);
        List<SiteCut.Cell> cells = SiteCut.of(replica.layout().elements(), sites, weights);
        mates.forEach(mate -> parts.put(mate, new Stretches(served(cells, mate), type)));
        merged = Span.allocate(pushedTo(post.rank()).bytes());
        parameters = Span.allocate(merged.bytes());
        slots = new PushSlots(mates.size(), type);
        early = new Letter[mates.size()];
        isUnanswered = new boolean[mates.size()];
        began = mates.stream().<Map<SiteCell, Double>>map(mate -> new HashMap<>()).toList();
        serve(cells, replica);
    }

    private List<Stretches.Stretch> served(List<SiteCut.Cell> cells, int mate) {
        return cells.stream()
                .filter(cell -> cell.servers().get(site) == mate)
                .map(SiteCut.Cell::stretch)
                .toList();
    }

    private void serve(List<SiteCut.Cell> cells, Replica replica) {
        Codec codec = Codec.of(settings.compress(), settings.codec()).orElse(null);
        long at = 0;
        for (int index = 0; index < cells.size(); index++) {
            SiteCut.Cell cell = cells.get(index);
            if (cell.servers().get(site) != post.rank()) {
                continue;
            }
            long count = cell.stretch().count();
            long bytes = count * type.bytes();
            Span sum = merged.slice(at, bytes);
            at += bytes;
            CellCoding coding = codec == null ? null : new CellCoding(codec, type, count);
            Span fresh = parameters.slice(at - bytes, bytes);
            ways.put(index, new SiteCell(index, cell, type, sum, fresh, coding));
            if (cell.owner() == post.rank()) {
                Stretches.Stretch all = cell.stretch();
                ParameterShard shard = replica.shard(settings.optimizer(), all.from(), all.to());
                owned.put(
                        index,
                        new SiteOwner(cell, type, coding, settings, shard, new Sites(index, cell)));
            }
        }
    }

    @Override
    public List<Integer> ranks() {
        return mates.stream().filter(mate -> pushedTo(mate).bytes() > 0).toList();
    }

    @Override
    public Stretches pushedTo(int rank) {
        return Objects.requireNonNull(parts.get(rank));
    }

    @Override
    public synchronized void begin(Part part, Span start) {
        Clocks round = new Clocks(part.clocks(), mates.stream().map(part.batches()::get).toList());
        clocks = round;
        step = part.step();
        clock = 0;
        parameters.copyFrom(pushedTo(post.rank()).of(start));
        double rate = sync == Sync.BULK ? 0 : part.learningRateFactor().applyAsDouble(0);
        ways.values().forEach(way -> way.begin(rate));
        began.forEach(Map::clear);
        List<Integer> pushes =
                sites.ranks().stream()
                        .map(ranks -> ranks.stream().mapToInt(part.batches()::get).sum())
                        .toList();
        owned.values().forEach(owner -> owner.begin(part, pushes, start));
        for (int mate = 0; mate < early.length; mate++) {
            Letter letter = early[mate];
            if (letter != null) {
                early[mate] = null;
                take(round, mate, letter);
            }
        }
        goOn(round);
    }

    @Override
    public synchronized void received(int from, Letter letter) {
        Clocks round = clocks;
        int cell = SiteLetters.cell(letter.kind());
        switch (SiteLetters.kind(letter.kind())) {
            case ShardServer.PUSH -> {
                int mate = mates.indexOf(from);
                if (round == null || letter.step() != step) {
                    early[mate] = letter.with(slots.keep(mate, letter.body()));
                    return;
                }
                take(round, mate, letter);
            }
            case SiteLetters.FORWARD -> owner(cell).pushed(sites.siteOf(from), letter);
            case SiteLetters.CODED -> owner(cell).pushedCoded(sites.siteOf(from), letter);
            case SiteLetters.FRESH -> answered(cell, letter);
            default -> throw new IllegalStateException("a letter of kind " + letter.kind());
        }
        if (round != null) {
            goOn(round);
        }
    }

    @Override
    public boolean isDone() {
        for (SiteOwner owner : owned.values()) {
            if (!owner.isDone()) {
                return false;
            }
        }
        return true;
    }

    /** Another site where one is waited for; else the slowest of this one. */
    @Override
    public synchronized int awaited() {
        for (SiteCell way : ways.values()) {
            if (way.isAwaited() && way.cell().owner() != post.rank()) {
                return way.cell().owner();
            }
        }
        for (SiteOwner owner : owned.values()) {
            int slowest = owner.slowest();
            if (!owner.isDone() && slowest != post.rank()) {
                return slowest;
            }
        }
        Clocks round = clocks;
        return round == null || ways.isEmpty() ? post.rank() : mates.get(round.slowest());
    }

    @Override
    public void putChange(Span start, Span into) {
        owned.values().forEach(owner -> owner.putChange(start, into));
    }

    @Override
    public synchronized void applied() {
        ways.values().forEach(SiteCell::applied);
    }

    @Override
    public synchronized void close() {
        clocks = null;
        owned.values().forEach(SiteOwner::close);
    }

    // ---- The workers of this site

    private void take(Clocks round, int mate, Letter push) {
        isUnanswered[mate] = true;
        if (push.weight() > 0 && sync == Sync.BULK) {
            slots.add(mate, push, push.scale(), round.due(mate, push.number()));
        } else if (push.weight() > 0) {
            long at = 0;
            for (SiteCell way : ways.values()) {
                long bytes = way.cell().stretch().count() * type.bytes();
                double from = began.get(mate).getOrDefault(way, 0.0);
                way.add(push, push.body().slice(at, bytes), from);
                at += bytes;
            }
        }
        round.moved(mate, push.number());
    }

    private void goOn(Clocks round) {
        do {
            answerMates(round);
        } while (sync == Sync.BULK ? forwardClock(round) : forwardMerged(round));
    }

    private void answerMates(Clocks round) {
        for (int mate = 0; mate < isUnanswered.length; mate++) {
            boolean isLast = round.pushed(mate) == round.pushes(mate);
            if (isUnanswered[mate] && (isLast || mayGoOn(round, mate))) {
                isUnanswered[mate] = false;
                answer(mate, round.pushed(mate), isLast ? parameters.slice(0, 0) : parameters);
            }
        }
    }

    private boolean mayGoOn(Clocks round, int mate) {
        return switch (sync) {
            case BULK -> round.mayBeginInOrder(mate, clock);
            case STALE -> round.reached(mate) <= reachedByAll() + settings.async().staleness();
            case ASYNC -> true;
        };
    }

    /** Clocks that all sites have given, as far as their owners have told. */
    private long reachedByAll() {
        return ways.values().stream().mapToLong(SiteCell::slowest).min().orElse(0);
    }

    private void answer(int mate, long number, Span body) {
        ways.values().forEach(way -> began.get(mate).put(way, way.version()));
        Letter letter = Letter.empty(ShardServer.PARAMETERS, step, number).with(body);
        if (!post.offer(mates.get(mate), letter)) {
            throw new IllegalStateException(
                    "rank " + mates.get(mate) + " pushed before it was answered");
        }
    }

    // ---- Other sites

    /** Forwards the next clock, if it is complete and the one before is applied. */
    private boolean forwardClock(Clocks round) {
        boolean isApplied = ways.values().stream().noneMatch(SiteCell::isAwaited);
        if (ways.isEmpty()
                || !isApplied
                || clock == round.total()
                || !round.isComplete(clock + 1)) {
            return false;
        }
        PushSlots.Sum sum = slots.take(clock + 1, merged);
        for (SiteCell way : ways.values()) {
            way.set(sum);
            way.forwards(clock + 1);
        }
        ways.forEach(this::forward);
        return true;
    }

    /** Forwards what there is, where something is due and what went before is answered. */
    private boolean forwardMerged(Clocks round) {
        long reached = sync == Sync.STALE ? round.reachedByAll() : round.reachedTogether();
        boolean isAny = false;
        for (Map.Entry<Integer, SiteCell> each : ways.entrySet()) {
            SiteCell way = each.getValue();
            if (!way.isAwaited() && reached > way.forwarded()) {
                way.forwards(reached);
                forward(each.getKey(), way);
                isAny = true;
            }
        }
        return isAny;
    }

    private void forward(int index, SiteCell way) {
        Letter letter = way.take(step);
        if (way.cell().owner() == post.rank()) {
            owner(index).pushed(site, letter);
        } else {
            boolean isCoded = step > settings.codec().exactSteps();
            Letter sent = isCoded ? way.coded(letter) : letter;
            long spared = letter.body().bytes() - sent.body().bytes();
            post.send(way.cell().owner(), sent, spared);
        }
    }

    private void answered(int index, Letter letter) {
        if (letter.step() != step) {
            return; // A receipt of the round before.
        }
        Objects.requireNonNull(ways.get(index)).answered(letter);
        if (ways.values().stream().noneMatch(SiteCell::isAwaited)) {
            clock = letter.number();
        }
    }

    private SiteOwner owner(int index) {
        return Objects.requireNonNull(owned.get(index), "a cell of another member");
    }

    /** The sites that push to a cell of this member's, as its server sees them. */
    private final class Sites implements ShardServer.Clients {
        private final int index;
        private final SiteCut.Cell cell;

        Sites(int index, SiteCut.Cell cell) {
            this.index = index;
            this.cell = cell;
        }

        @Override
        public int count() {
            return sites.sites();
        }

        @Override
        public boolean areSites() {
            return true;
        }

        @Override
        public void answer(int to, Letter letter) {
            if (to == site) {
                answered(index, letter);
            } else {
                post.send(
                        cell.servers().get(to),
                        letter.as(SiteLetters.of(SiteLetters.FRESH, index)),
                        0);
            }
        }

        @Override
        public void done() {
            post.changed();
        }
    }
}
