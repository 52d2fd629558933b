package dev.medley.base;

/**
 * A worker as its peers see it.
 *
 * @param worker its identity
 * @param hostKey equal for two members exactly if they can share memory (same running kernel and
 *     same /dev/shm)
 * @param site where it stands; links within a site are better than links between sites. {@link
 *     #NO_SITE} where nothing is known
 * @param address host name or IP address that peers connect to; {@link #NOT_DIALLED} where none can
 * @param dataPort TCP port on which it accepts peers of an exchange
 * @param kernelKey LibTorch build, CPU capability and thread count: members with equal keys compute
 *     bit-equal updates
 */
public record Member(
        WorkerId worker,
        String hostKey,
        String site,
        String address,
        int dataPort,
        String kernelKey) {
    /** The site of members of which none was declared or found; they stand together. */
    public static final String NO_SITE = "";

    /** The address of a member behind a translation of addresses: it dials, nobody dials it. */
    public static final String NOT_DIALLED = "";

    /** Whether others can connect to it. */
    public boolean isDialled() {
        return !address.equals(NOT_DIALLED);
    }

    /** The same at another site. */
    public Member at(String otherSite) {
        return new Member(worker, hostKey, otherSite, address, dataPort, kernelKey);
    }

    /** The same with other kernels, as with another number of threads. */
    public Member computingBy(String otherKey) {
        return new Member(worker, hostKey, site, address, dataPort, otherKey);
    }
}
