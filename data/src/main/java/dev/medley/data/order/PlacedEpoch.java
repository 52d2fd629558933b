package dev.medley.data.order;

import dev.medley.base.Cursor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The placement of an epoch's samples on ranks, where samples have a place: a section for each plan
 * of the epoch. It is part of the state of a run and equal on all members. Each member knows from
 * it which sample stands at any position of the epoch, also at those that were taken under an
 * earlier plan.
 *
 * @param epoch from 0
 * @param sections in order of positions; the first is from position 0
 */
public record PlacedEpoch(long epoch, List<Section> sections) {
    /**
     * A stretch of positions that are cut and placed alike.
     *
     * @param from first position, at which a step begins; the stretch ends where the next begins
     * @param shares samples of each rank in a step
     * @param owners rank that keeps each shard
     */
    public record Section(long from, List<Integer> shares, List<Integer> owners) {
        public Section {
            shares = List.copyOf(shares);
            owners = List.copyOf(owners);
        }

        Section at(long position) {
            return new Section(position, shares, owners);
        }
    }

    public PlacedEpoch {
        sections = List.copyOf(sections);
        if (sections.isEmpty() || sections.get(0).from() != 0) {
            throw new IllegalArgumentException("an epoch placed from its beginning: " + sections);
        }
    }

    /**
     * Where samples are from a cursor on, behind which nothing was taken. An epoch that began
     * without places goes on without, and what is said here is of the next one.
     *
     * @param before where they were; null if they had no place
     * @param shares samples of each rank in a step
     * @param owners rank that keeps each shard; empty for no places, which a run that had some
     *     comes back to with an epoch's beginning
     */
    public static @Nullable PlacedEpoch next(
            @Nullable PlacedEpoch before,
            Cursor cursor,
            List<Integer> shares,
            List<Integer> owners) {
        if (owners.isEmpty()) {
            return before == null || cursor.epoch() < before.epoch() || cursor.position() == 0
                    ? null
                    : before.together(cursor, shares);
        }
        if (before != null && cursor.epoch() >= before.epoch()) {
            return before.from(cursor, shares, owners);
        }
        long first = cursor.position() == 0 ? cursor.epoch() : cursor.epoch() + 1;
        return new PlacedEpoch(first, List.of(new Section(0, shares, owners)));
    }

    /** The rest of an epoch that began with places, for a group that has none: as of one worker. */
    private PlacedEpoch together(Cursor cursor, List<Integer> shares) {
        int batch = shares.stream().mapToInt(Integer::intValue).sum();
        int shards = sections.get(0).owners().size();
        return from(cursor, List.of(batch), Collections.nCopies(shards, 0));
    }

    /**
     * What was said of positions from the cursor on is void. A cut like the one before goes on with
     * it, so that a group which forms anew for another reason does not change the order.
     */
    private PlacedEpoch from(Cursor cursor, List<Integer> shares, List<Integer> owners) {
        List<Section> next = new ArrayList<>(of(cursor.epoch()).sections());
        next.removeIf(section -> section.from() >= cursor.position());
        Section added = new Section(cursor.position(), shares, owners);
        if (next.isEmpty() || !added.at(0).equals(next.get(next.size() - 1).at(0))) {
            next.add(added);
        }
        return new PlacedEpoch(cursor.epoch(), next);
    }

    /** This epoch, or a later one, which goes on with the last section. */
    public PlacedEpoch of(long wanted) {
        if (wanted < epoch) {
            throw new IllegalArgumentException(
                    "epoch %d is over; known is epoch %d".formatted(wanted, epoch));
        }
        Section last = sections.get(sections.size() - 1);
        return wanted == epoch ? this : new PlacedEpoch(wanted, List.of(last.at(0)));
    }
}
