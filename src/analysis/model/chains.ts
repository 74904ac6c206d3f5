import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const read: Effect = { env: 'http', op: 'read' };
const answer: Member = { returns: 'Promise<any>', effect: read };
/** From memory for some seconds, or for good. */
const remembered: Member = { returns: 'Promise<any>', effect: { ...read, memo: true } };
/** It fails where the transaction would. */
const rehearsal: Member = { returns: 'Promise<any>', effect: { ...read, mayVeto: true } };
const change: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'write' } };
/** The node keeps something for who asked, or the caller's next number is taken. */
const other: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'unknown' } };
/** Until the chain has taken a transaction: what is asked afterwards counts on it. */
const confirmed: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'sync' } };
const readsAll: LibraryType = { anyMember: answer };

const viemReads: Readonly<Record<string, Member>> = {
  ...each(
    'call createAccessList estimateContractGas estimateFeesPerGas estimateGas estimateMaxPriorityFeePerGas getBalance ' +
      'getBlobBaseFee getBlock getBlockReceipts getBlockTransactionCount getChainId getCode ' +
      'getContractEvents getDelegation getEip712Domain getEnsAddress getEnsAvatar getEnsName getEnsResolver getEnsText ' +
      'getFeeHistory getFilterLogs getGasPrice getLogs getProof getRawTransaction getStorageAt getStorageValues ' +
      'getTransaction getTransactionConfirmations getTransactionCount getTransactionReceipt multicall readContract ' +
      'simulateBlocks simulateCalls verifyHash verifyMessage verifyTypedData',
    answer,
  ),
  getBlockNumber: remembered,
  simulateContract: rehearsal,
};
const viemRaw = each('sendRawTransaction sendRawTransactionSync', change);
const viemFilters = each(
  'createBlockFilter createContractEventFilter createEventFilter createPendingTransactionFilter getFilterChanges ' +
    'uninstallFilter',
  other,
);
const viemPublic: Readonly<Record<string, Member>> = {
  ...viemReads,
  ...each('getBytecode simulate verifySiweMessage', answer),
  ...viemRaw,
  ...viemFilters,
  ...each('fillTransaction prepareTransactionRequest', other),
  waitForTransactionReceipt: confirmed,
};
const viemWrites: Readonly<Record<string, Member>> = {
  ...viemRaw,
  ...each(
    'deployContract sendCalls sendCallsSync sendTransaction sendTransactionSync writeContract writeContractSync',
    change,
  ),
};
const viemWallet: Readonly<Record<string, Member>> = {
  ...viemWrites,
  ...each('getCallsStatus getCapabilities getChainId', answer),
  ...each('fillTransaction prepareTransactionRequest', other),
  waitForCallsStatus: confirmed,
};
const extended: Member = { returns: 'ExtendedClient' };
const viemContract: LibraryType = {
  members: {
    ...each('read estimateGas getEvents', { type: 'Reads' }),
    simulate: { type: 'Rehearsals' },
    write: { type: 'Writes' },
    createEventFilter: { type: 'Filters' },
  },
};

/**
 * Each action is a request to a node; a transport that batches sends those of one turn together, so that one after the
 * other they stay as many.
 */
const viem: Library = {
  name: 'viem',
  modules: ['viem', 'viem/actions'],
  verifiedWith: '2.57.20',
  isHosted: true,
  commitsEach: true,
  exports: {
    createPublicClient: { returns: 'PublicClient' },
    createWalletClient: { returns: 'WalletClient' },
    createClient: { returns: 'Client' },
    getContract: { returns: 'GetContractReturnType' },
    // Of `viem/actions`, with the client before the rest.
    ...viemReads,
    ...viemFilters,
    ...viemWrites,
    ...each('fillTransaction prepareTransactionRequest', other),
    ...each('waitForTransactionReceipt waitForCallsStatus', confirmed),
  },
  types: {
    Client: { members: { extend: extended } },
    PublicClient: { members: { ...viemPublic, extend: extended } },
    WalletClient: { members: { ...viemWallet, extend: extended } },
    ExtendedClient: { members: { ...viemPublic, ...viemWallet, extend: { returns: 'this' } } },
    GetContractReturnType: viemContract,
    Reads: readsAll,
    Rehearsals: { anyMember: rehearsal },
    Writes: { anyMember: change },
    Filters: { anyMember: other },
  },
};

const sent: Member = {
  returns: 'Promise<TransactionResponse>',
  effect: { env: 'http', op: 'write' },
};
const asked: Member = { returns: 'Promise<TransactionResponse>', effect: read };
const v5 = { ...answer, until: '5' };

const ethersProvider: LibraryType = {
  members: {
    ...each(
      'call estimateGas getAvatar getBalance getBlock getBlockNumber getCode getFeeData getLogs getResolver getStorage ' +
        'getTransactionCount getTransactionReceipt getTransactionResult lookupAddress resolveName',
      answer,
    ),
    ...each('getBlockWithTransactions getGasPrice getStorageAt', v5),
    getTransaction: asked,
    getNetwork: remembered,
    detectNetwork: { ...v5, effect: { ...read, memo: true } },
    broadcastTransaction: sent,
    sendTransaction: { ...sent, until: '5' },
    send: other,
    ...each('waitForTransaction waitForBlock', confirmed),
  },
};
const ethersSigner: LibraryType = {
  members: {
    ...each('call estimateGas getNonce resolveName', answer),
    ...each('getBalance getChainId getFeeData getGasPrice getTransactionCount', v5),
    sendTransaction: sent,
    ...each('populateCall populateTransaction', other),
    connect: { returns: 'this' },
    provider: { type: 'Provider' },
  },
};
/** Only the ABI tells which of its methods read. */
const ethersContract: LibraryType = {
  members: {
    queryFilter: answer,
    ...each('callStatic estimateGas', { type: 'Reads', until: '5' }),
    ...each('connect attach', { returns: 'this' }),
    ...each(
      'runner provider signer interface target address filters fallback populateTransaction',
      {
        type: 'Nothing',
      },
    ),
    ...each(
      'on once off emit addListener removeListener removeAllListeners listeners listenerCount ' +
        'getAddress getDeployedCode getEvent getFunction deployTransaction deploymentTransaction ' +
        'waitForDeployment deployed queryTransaction',
      {},
    ),
    functions: { type: 'Methods', until: '5' },
  },
  anyMember: { type: 'Method' },
};

const PROVIDERS =
  'JsonRpcProvider AlchemyProvider AnkrProvider CloudflareProvider EtherscanProvider FallbackProvider InfuraProvider ' +
  'InfuraWebSocketProvider PocketProvider QuickNodeProvider WebSocketProvider';
const V5_PROVIDERS =
  'StaticJsonRpcProvider JsonRpcBatchProvider Web3Provider IpcProvider NodesmithProvider AlchemyWebSocketProvider';
const V6_PROVIDERS = 'BlockscoutProvider BrowserProvider ChainstackProvider IpcSocketProvider';

const provided: Member = { construct: { returns: 'Provider' } };
const providers: Readonly<Record<string, Member>> = {
  ...each(PROVIDERS, provided),
  ...each(V5_PROVIDERS, { ...provided, until: '5' }),
  getDefaultProvider: { returns: 'Provider' },
};
const ethersNamed: Readonly<Record<string, Member>> = {
  ...each(`${PROVIDERS} ${V6_PROVIDERS}`, provided),
  getDefaultProvider: { returns: 'Provider' },
  providers: { type: 'Providers', until: '5' },
  ...each('Contract BaseContract', { construct: { returns: 'Contract' } }),
  Wallet: { construct: { returns: 'Signer' } },
};
const sameProvider = { extends: 'Provider' } as const;
/** Version 5 as well; one request each, of which version 6 sends those of ten milliseconds together. */
const ethers: Library = {
  name: 'ethers',
  modules: [
    'ethers',
    '@ethersproject/providers',
    '@ethersproject/contracts',
    '@ethersproject/wallet',
  ],
  verifiedWith: '6.17.0',
  isHosted: true,
  commitsEach: true,
  exports: {
    ...ethersNamed,
    ...each(V5_PROVIDERS, { ...provided, until: '5' }),
    ethers: { type: 'Namespace' },
    default: { type: 'Namespace', until: '5' },
  },
  types: {
    Namespace: { members: { ...ethersNamed, ethers: { type: 'Namespace' } } },
    Providers: { members: providers },
    Provider: ethersProvider,
    ...Object.fromEntries(
      'AbstractProvider BaseProvider JsonRpcApiProvider SocketProvider UrlJsonRpcProvider'
        .split(' ')
        .map((it) => [it, sameProvider]),
    ),
    Signer: ethersSigner,
    Contract: ethersContract,
    Reads: readsAll,
    Methods: { anyMember: other },
    Method: {
      call: other,
      members: {
        ...each('staticCall staticCallResult estimateGas', answer),
        send: sent,
      },
    },
    TransactionResponse: { members: { wait: confirmed } },
    Nothing: {},
  },
};

const web3Static = withDefault(
  { Web3: { construct: { returns: 'Web3' } }, Contract: { construct: { returns: 'Contract' } } },
  { construct: { returns: 'Web3' } },
);
/** A call of a contract under construction: `contract.methods.owner().call()`. */
const web3: Library = {
  name: 'web3',
  modules: ['web3'],
  verifiedWith: '4.16.0',
  isHosted: true,
  commitsEach: true,
  exports: web3Static.exports,
  types: {
    Namespace: web3Static.namespace,
    Web3: { members: { eth: { type: 'Eth' } } },
    Eth: {
      members: {
        ...each(
          'call createAccessList estimateGas getBalance getBlock getBlockNumber getBlockTransactionCount ' +
            'getBlockUncleCount getChainId getCode getFeeHistory getGasPrice getPastLogs getPendingTransactions getProof ' +
            'getStorageAt getTransaction getTransactionCount getTransactionFromBlock getTransactionReceipt getUncle ' +
            'isSyncing getMaxPriorityFeePerGas calculateFeeData',
          answer,
        ),
        ...each('sendTransaction sendSignedTransaction', change),
        Contract: { construct: { returns: 'Contract' } },
      },
    },
    Contract: { members: { methods: { type: 'Methods' }, getPastEvents: answer } },
    Methods: { anyMember: { returns: 'Method' } },
    Method: {
      members: { ...each('call estimateGas createAccessList', answer), send: change },
    },
  },
};

/** Clients of block chains' nodes. */
export const chains: readonly Library[] = [viem, ethers, web3];
