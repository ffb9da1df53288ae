# $firstline
# $definition
# With optax or by hand: value, grad = value_and_grad(params$more)

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

$tables
$library

def $name(params$more):
    """The value at these parameters."""
$code

$function
value_and_grad = jax.jit(jax.value_and_grad($name))


if __name__ == "__main__":
    value, grad = value_and_grad(params$more)
    print("%s %.17g" % ($label, value))
    for name in params:
        for at, slope in np.ndenumerate(grad[name]):
            print("%s %.17g" % (name + "".join(f"[{i}]" for i in at), slope))
