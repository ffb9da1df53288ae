# On several devices, each with its share of the batch; their number has to divide that of the points:
# from jax.sharding import Mesh, NamedSharding, PartitionSpec
# shares = NamedSharding(Mesh(jax.devices(), "batch"), PartitionSpec("batch"))
# data |= {name: jax.device_put(data[name], shares) for name in [$keys]}

