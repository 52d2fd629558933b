package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Clocks;
import dev.medley.exchange.post.Letter;
import dev.medley.tensor.optimizer.ParameterShard;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves the parameters of one cell, by what all sites push. Owned by SiteServers. */
final class SiteOwner implements AutoCloseable {
    private final SiteCut.Cell cell;
    private final ElementType type;
    private final @Nullable CellCoding coding;
    private final ShardServer server;
    private @Nullable Span decoded;

    /**
     * An owner of a cell.
     *
     * @param shard of its parameters
     * @param coding of what other sites push; null where they send it as it is
     */
    SiteOwner(
            SiteCut.Cell cell,
            ElementType type,
            @Nullable CellCoding coding,
            ServerSteps.Settings settings,
            ParameterShard shard,
            ShardServer.Clients clients) {
        this.cell = cell;
        this.type = type;
        this.coding = coding;
        this.server = new ShardServer(settings.async(), shard, type, clients);
    }

    /**
     * A round begins.
     *
     * @param pushes of the workers of each site together
     */
    void begin(Part part, List<Integer> pushes, Span start) {
        Clocks clocks = Clocks.ofSites(part.clocks(), pushes);
        server.begin(part.step(), clocks, cell.stretch().of(start, type));
    }

    /** A site has pushed. */
    void pushed(int site, Letter letter) {
        server.pushed(site, letter);
    }

    /** The same through a codec. */
    void pushedCoded(int site, Letter letter) {
        CellCoding by = coding;
        if (by == null) {
            throw new IllegalStateException("site " + site + " codes, this member does not");
        }
        Span into = decoded;
        if (into == null) {
            into = Span.allocate(cell.stretch().count() * type.bytes());
            decoded = into;
        }
        server.pushed(site, letter.with(by.decode(letter.body(), into)));
    }

    boolean isDone() {
        return server.isDone();
    }

    /** The site that the round waits for, by its server of this cell. */
    int slowest() {
        return cell.servers().get(server.slowest());
    }

    /** What the cell changed by since a round began. */
    void putChange(Span start, Span into) {
        Span change = cell.stretch().of(into, type);
        server.copyTo(change);
        Memory.difference(cell.stretch().of(start, type), change, 1, change, type);
    }

    @Override
    public void close() {
        server.close();
    }
}
